public import Statistics

/// `floor:policy=(ucb1),probability=0.01`: each variant has at least that probability, whatever the policy wants.
///
/// With probability 1 − K p the policy's choice is taken, otherwise any variant, all alike: so other policies can be
/// judged from the log, by whose propensities is divided. D. Horvitz and D. Thompson, "A generalization of sampling
/// without replacement from a finite universe" (JASA 47, 1952), needs them above 0.
///
/// The propensity p + (1 − K p) q is exact where the policy can say its probability q of the variant that was chosen:
/// where it had no alternative, where it chose that variant itself, or where it knows all its probabilities. It is NaN
/// otherwise.
///
/// The policy learns from all decisions, and is told the propensity of the mixture, if it chooses without alternative,
/// knows all its probabilities, or none at all; and if it gives its choices no memo, which would be another choice's.
/// Any other policy learns from those decisions that were as it wanted, with the probability of both. Rewards that are
/// more than 65,536 decisions late are not learned.
public struct Floor: WrappingPolicy {
  private static let probability = Parameter.number(
    "probability", default: 0.01, in: 0...1, "the least probability, {range}, at most 1/K")

  /// What there is to say about it.
  public static let guide = Guide(
    "floor", "another policy, with a least probability for each variant",
    [
      Guide.Parameter("policy", nil, "the policy, in parentheses"),
      probability,
    ],
    source: "uniform mixture; Horvitz and Thompson 1952 for its use")

  /// The policy says whether it can do without variants.
  public static let takesAbsence = true

  /// Other policies draw.
  public static var agentRefusal: String? {
    AgentRefusal.otherPolicies
  }

  /// How it is written.
  public let specification: Specification
  private let policy: PreparedPolicy
  private let probability: Double

  /// Gives each variant a least probability, 0.01 where that is nil.
  ///
  /// - Throws: `SpecificationError`: the probability is out of its range.
  public init(_ policy: some Policy, probability: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(
        .init(key: "policy", nesting: [policy]), Self.probability.written(probability)),
      PreparedPolicy(policy))
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: no policy, or no probability.
  public init(
    _ specification: Specification, variants: [String], policies catalog: PolicyCatalog
  ) throws(SpecificationError) {
    try self.init(
      specification, try specification.policy("policy", variants: variants, from: catalog))
  }

  private init(
    _ specification: Specification, _ policy: PreparedPolicy
  ) throws(SpecificationError) {
    self.specification = specification
    self.policy = policy
    probability = try Self.probability.value(in: specification)
  }

  /// What the policy knows.
  ///
  /// - Throws: `SpecificationError`: the least probabilities would add up to more than 1, or the policy is not for such a
  ///   problem.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> FloorState {
    // A thousandth of a millionth is for rounding, as in 3 · 0.333333333.
    guard probability * Double(problem.variants) <= 1 + 1e-9 else {
      throw SpecificationError(
        "\(specification) would give \(problem.variants) variants more than 1 in sum; probability is at most "
          + "\(1 / Double(problem.variants)) for them")
    }
    return FloorState(problem.variants, probability: probability, try policy.makeState(problem))
  }
}

/// The policy in a run.
public struct FloorState: PolicyState {
  private let probability: Double
  private var base: any PolicyState
  /// Whether the policy can say each of its probabilities.
  private let isSharing: Bool
  private var available: [Bool]
  private var made = [Choice(0)]
  /// Whether the policy is to be told of its own choice as it was made, and with which propensity.
  private var ring: ChoiceRing<Bool>

  init(_ variants: Int, probability: Double, _ base: any PolicyState) {
    self.probability = probability
    self.base = base
    isSharing = base is any SharingState
    available = [Bool](repeating: true, count: variants)
    ring = ChoiceRing(width: 1, note: false)
  }

  /// The policy's choice, or any variant.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let there = available.count { $0 }
    let explored = min(1, probability * Double(there))
    let isExploring = Draw.unit(using: &random) < explored
    let any =
      isExploring ? Draw.variant(of: available.count, available, using: &random) : 0
    let own = base.choose(context, &random)
    let variant = isExploring ? any : own.variant
    let share = own.probability(of: variant, in: base)
    let propensity = probability + (1 - explored) * share
    let isTold = own.memo == 0 && (own.propensity == 1 || own.propensity.isNaN || isSharing)
    if isTold {
      made[0] = Choice(variant, propensity: propensity)
    } else {
      made[0] = own
      made[0].propensity *= 1 - explored + probability
    }
    return Choice(
      variant, propensity: propensity, memo: ring.add(made[0].variant == variant, made))
  }

  /// The policy learns, if it is to.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    guard ring.take(choice.memo) == true else { return }
    base.learn(ring.choice(choice.memo, 0), reward, context)
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) {
    self.available = available
    base.offer(available)
  }

  /// That of the policy.
  public var recommendation: Int? { base.recommendation }

  /// Whether the policy is sure.
  public var hasStopped: Bool { base.hasStopped }
}
