public import Specifications
public import Statistics

/// `corral:policies=(ucb1);(thompson)`: chooses among base policies by the rewards they earn, keeping every one's
/// probability above a floor.
///
/// A. Agarwal, H. Luo, B. Neyshabur and R. E. Schapire, "Corralling a band of bandit algorithms" (COLT 2017), algorithm
/// 1: each policy chooses, and one of them is followed, drawn from p̄ = (1 − γ) p + γ/M with γ = 1/T; p takes one step
/// of mirror descent with the log barrier against the loss (1 − r)/p̄ of the followed one; and when 1/p̄ of a policy
/// exceeds twice its largest value so far (2M at first), the learning rate η of that policy grows by the factor
/// exp(1/ln T). `eta` defaults to √(M/T).
///
/// The paper feeds the policies importance-weighted rewards. Here a policy learns the raw reward, with the probability
/// that it made its choice and was followed as the propensity, by which policies such as `exp3` divide and which those
/// such as `ucb1` ignore: A. Pacchiano and others, "Model selection in contextual stochastic bandit problems" (NeurIPS
/// 2020). With `feedback=chosen` only the followed policy learns, with `agreeing` all that chose the same variant, with
/// the probability that this variant was chosen.
///
/// The propensity is exact if the policies know the probability of any variant, and otherwise NaN. Rewards delayed by
/// more than 65,536 decisions are ignored.
public struct Corral: Policy {
  /// Which policies learn from a decision.
  public enum Feedback: String, CaseIterable, Sendable {
    /// The policy whose choice was followed.
    case chosen
    /// All policies that chose the same variant.
    case agreeing
  }

  /// The base policies, at least one.
  public var policies: [PreparedPolicy] = []
  /// The learning rate; nil for √(M/T).
  public var eta: Double?
  /// Which policies learn from a decision.
  public var feedback = Feedback.chosen
  /// The number of decisions T; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy without the base policies that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "corral", "chooses among several policies by the rewards that they earn",
    source: "Agarwal, Luo, Neyshabur and Schapire 2017, algorithm 1",
    example: "corral:policies=(ucb1);(thompson)")

  public static var parameters: [Field] {
    Field.policies("policies", \.policies, "policies in parentheses, separated by semicolons")
    Field.number("eta", \.eta, in: 0...1e3, "learning rate, {range}; sqrt(M / T) by default")
    Field.word(
      "feedback", \.feedback, "policies that learn from a reward: chosen or agreeing",
      alternatives: "chosen or agreeing"
    )
    Field.horizon(\.horizon, "number of decisions T; that of the run by default")
  }

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true
  /// The base policies are checked for their own support.
  public static let supportsUnavailableVariants = true

  public static var agentIncompatibility: String? { AgentRefusal.otherPolicies }

  public mutating func validate() throws(SpecificationError) {
    guard !policies.isEmpty else {
      throw SpecificationError("corral needs policies; write corral:policies=(ucb1);(thompson)")
    }
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> CorralState {
    CorralState(
      try policies.states(problem), isAgreeing: feedback == .agreeing,
      CorralWeights(policies.count, eta: eta, horizon: problem.decisions(horizon)))
  }
}

/// The state of a run: the base policies.
public struct CorralState: PolicyState {
  private struct Note: Sendable {
    var followed = 0
    /// The probability with which that policy was followed.
    var share = 1.0
    /// The probability of the variant, given the choices of the policies.
    var agreeing = 1.0
  }

  private var policies: [any PolicyState]
  private let isAgreeing: Bool
  private var weights: CorralWeights
  private var choices: [Choice]
  private var ring: PendingChoices<Note>

  init(_ policies: [any PolicyState], isAgreeing: Bool, _ weights: CorralWeights) {
    self.policies = policies
    self.isAgreeing = isAgreeing
    self.weights = weights
    choices = [Choice](repeating: Choice(0), count: policies.count)
    ring = PendingChoices(width: policies.count, note: Note())
  }

  /// Chooses what one of the policies, drawn at random, chooses.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    for index in policies.indices { choices[index] = policies[index].choose(context, &random) }
    let followed = weights.mixed.place(of: Draw.unit(using: &random))
    let variant = choices[followed].variant
    var note = Note(followed: followed, share: weights.mixed[followed], agreeing: 0)
    var propensity = 0.0
    for index in policies.indices {
      let share = weights.mixed[index]
      if choices[index].variant == variant { note.agreeing += share }
      propensity += share * choices[index].probability(of: variant, in: policies[index])
    }
    return Choice(variant, propensity: propensity, memo: ring.add(note, choices))
  }

  /// Passes the reward to the policies that learn from it, and updates the probabilities.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    guard let note = ring.take(choice.memo) else { return }
    for index in policies.indices where isAgreeing || index == note.followed {
      var made = ring.choice(choice.memo, index)
      guard made.variant == choice.variant else { continue }
      made.propensity *= isAgreeing ? note.agreeing : note.share
      policies[index].learn(made, reward, context)
    }
    weights.learn(note.followed, (1 - reward.inUnitRange) / note.share)
  }

  public mutating func offer(_ available: [Bool]) {
    for index in policies.indices { policies[index].offer(available) }
  }
}

extension Choice {
  /// Returns the probability with which a policy, having made this choice, could have chosen a variant; NaN if unknown.
  func probability(of other: Int, in state: any PolicyState) -> Double {
    if variant == other { return propensity }
    if propensity == 1 { return 0 }
    return (state as? any AllocatingState)?.probability(of: other) ?? .nan
  }
}

/// The probabilities of the base policies, by mirror descent with the log barrier and increasing learning rates.
struct CorralWeights: Sendable {
  /// The probabilities to draw from, including uniform exploration.
  private(set) var mixed: [Double]
  private var shares: [Double]
  private var rates: [Double]
  private var limits: [Double]
  private let mixing: Double
  private let growth: Double

  init(_ count: Int, eta: Double?, horizon: Double) {
    let number = Double(count)
    mixed = [Double](repeating: 1 / number, count: count)
    shares = mixed
    rates = [Double](repeating: eta ?? (number / horizon).squareRoot(), count: count)
    limits = [Double](repeating: 2 * number, count: count)
    mixing = 1 / horizon
    // With a single decision the learning rate need not grow.
    growth = horizon > 1 ? Double.exp(1 / Double.log(horizon)) : 1
  }

  /// Updates the probabilities after an importance-weighted loss of one policy, 0 or more.
  mutating func learn(_ index: Int, _ loss: Double) {
    if loss > 0 { descend(index, loss) }
    for policy in mixed.indices {
      mixed[policy] = (1 - mixing) * shares[policy] + mixing / Double(mixed.count)
      guard 1 / mixed[policy] > limits[policy] else { continue }
      limits[policy] = 2 / mixed[policy]
      rates[policy] *= growth
    }
  }

  /// Solves 1/p' = 1/p + η (ℓ − λ) for the λ in 0 ... ℓ with which all p' add up to 1, by bracketed Newton's method.
  private mutating func descend(_ index: Int, _ loss: Double) {
    var (low, high, lambda) = (0.0, loss, 0.0)
    for _ in 0..<200 {
      var (sum, slope, isBeyond) = (0.0, 0.0, false)
      for policy in shares.indices {
        let inverse = inverse(policy, index, loss, lambda)
        if inverse > 0 {
          sum += 1 / inverse
          slope += rates[policy] / (inverse * inverse)
        } else {
          isBeyond = true
        }
      }
      if !isBeyond, abs(sum - 1) < 1e-14 { break }
      if isBeyond || sum > 1 { high = lambda } else { low = lambda }
      var next = isBeyond ? .nan : lambda - (sum - 1) / slope
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == lambda || next == low || next == high { break }
      lambda = next
    }
    lambda = isInside(lambda, index, loss) ? lambda : low
    for policy in shares.indices { mixed[policy] = 1 / inverse(policy, index, loss, lambda) }
    let total = mixed.added
    for policy in shares.indices { shares[policy] = mixed[policy] / total }
  }

  private func inverse(_ policy: Int, _ index: Int, _ loss: Double, _ lambda: Double) -> Double {
    1 / shares[policy] + rates[policy] * ((policy == index ? loss : 0) - lambda)
  }

  private func isInside(_ lambda: Double, _ index: Int, _ loss: Double) -> Bool {
    shares.indices.allSatisfy { inverse($0, index, loss, lambda) > 0 }
  }
}
