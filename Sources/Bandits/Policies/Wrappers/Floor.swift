public import Specifications
public import Statistics

/// `floor:policy=(ucb1),probability=0.01`: wraps a policy and gives each variant at least that probability.
///
/// With probability 1 − K p the policy's choice is taken, otherwise a uniformly random variant, so that the log
/// supports off-policy evaluation, which divides by propensities. D. Horvitz and D. Thompson, "A generalization of
/// sampling without replacement from a finite universe" (JASA 47, 1952), require them to be above 0.
///
/// The propensity p + (1 − K p) q is exact if the policy knows its probability q of the chosen variant: if it had no
/// alternative, chose that variant itself, or knows all its probabilities. It is NaN otherwise.
///
/// The policy learns from all decisions, with the propensity of the mixture, if it chooses without alternative, knows
/// all its probabilities, or none at all; and if it gives its choices no memo, which would belong to another choice.
/// Any other policy learns only from the decisions that agree with its choice, with the joint probability. Rewards
/// delayed by more than 65,536 decisions are ignored.
public struct Floor: Policy {
  /// The wrapped policy, which is required.
  public var policy: PreparedPolicy?
  /// The minimum probability of each variant.
  public var probability = 0.01
  public var specification = Self.info.specification()

  /// Creates the wrapper without the policy that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "floor", "wraps a policy, with a minimum probability for each variant",
    source: "uniform mixture; Horvitz and Thompson 1952 for its use",
    example: "floor:policy=(ucb1),probability=0.01")

  public static var parameters: [Field] {
    Field.policy("policy", \.policy, "the policy, in parentheses")
    Field.number(
      "probability", \.probability, in: 0...1, "minimum probability, {range}, at most 1/K")
  }

  /// The wrapped policy is checked for its own support.
  public static let supportsUnavailableVariants = true

  public static var agentIncompatibility: String? { AgentRefusal.otherPolicies }

  /// Returns the state before the first decision.
  ///
  /// - Throws: `SpecificationError` if the minimum probabilities add up to more than 1, or the policy does not support
  ///   the problem.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> FloorState {
    // The margin is for rounding, as in 3 · 0.333333333.
    guard probability * Double(problem.variants) <= 1 + 1e-9 else {
      throw SpecificationError(
        "\(specification) would give \(problem.variants) variants more than 1 in sum; probability is at most "
          + "\(1 / Double(problem.variants)) for them")
    }
    return FloorState(
      problem.variants, probability: probability, try policy.makeState(problem, in: self))
  }
}

/// The state of a run: that of the policy.
public struct FloorState: PolicyState {
  private let probability: Double
  private var base: any PolicyState
  /// Whether the policy knows all its probabilities after a decision.
  private let knowsProbabilities: Bool
  private var available: [Bool]
  /// The number of available variants.
  private var there: Int
  private var made = [Choice(0)]
  /// Holds whether the policy learns from the decision, with its choice and propensity.
  private var ring: PendingChoices<Bool>

  init(_ variants: Int, probability: Double, _ base: any PolicyState) {
    self.probability = probability
    self.base = base
    knowsProbabilities = (base as? any AllocatingState)?.probability(of: 0).isNaN == false
    available = [Bool](repeating: true, count: variants)
    there = variants
    ring = PendingChoices(width: 1, note: false)
  }

  /// Chooses what the policy chooses, or a random variant.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let explored = min(1, probability * Double(there))
    let isExploring = Draw.unit(using: &random) < explored
    let any =
      isExploring ? Draw.variant(of: available.count, available, using: &random) : 0
    let own = base.choose(context, &random)
    let variant = isExploring ? any : own.variant
    let share = own.probability(of: variant, in: base)
    let propensity = probability + (1 - explored) * share
    let isTold =
      own.memo == 0 && (own.propensity == 1 || own.propensity.isNaN || knowsProbabilities)
    if isTold {
      made[0] = Choice(variant, propensity: propensity)
    } else {
      made[0] = own
      made[0].propensity *= 1 - explored + probability
    }
    return Choice(
      variant, propensity: propensity, memo: ring.add(made[0].variant == variant, made))
  }

  /// Passes the reward to the policy if it learns from the decision.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    guard ring.take(choice.memo) == true else { return }
    base.learn(ring.choice(choice.memo, 0), reward, context)
  }

  public mutating func offer(_ available: [Bool]) {
    self.available = available
    there = available.count { $0 }
    base.offer(available)
  }

  public var recommendation: Int? { base.recommendation }

  public var hasStopped: Bool { base.hasStopped }
}
