public import Statistics

/// `corral:policies=(ucb1);(thompson)`: chooses among policies by what they earn, with probabilities that keep each of
/// them alive.
///
/// A. Agarwal, H. Luo, B. Neyshabur and R. E. Schapire, "Corralling a band of bandit algorithms" (COLT 2017), algorithm
/// 1: each policy chooses; one of them is followed, drawn from p̄ = (1 − γ) p + γ/M with γ = 1/T; p goes one step of
/// mirror descent with the log barrier against the loss (1 − r)/p̄ of the one that was followed; and when 1/p̄ of a policy
/// exceeds twice its largest value so far (2M at first), the rate η of that policy grows by the factor exp(1/ln T). `eta`
/// is √(M/T) when it is not given.
///
/// The paper feeds the policies with rewards divided by probabilities. Here a policy is told the reward as it is, and
/// with its choice the probability that it chose so and was followed, by which policies such as `exp3` divide, while
/// those such as `ucb1` have no use for it: A. Pacchiano and others, "Model selection in contextual stochastic bandit
/// problems" (NeurIPS 2020). With `feedback=chosen` only the policy that was followed learns, with `agreeing` all that
/// had chosen the same variant, with the probability that this one was chosen.
///
/// The propensity is exact where the policies can say with which probability they choose any variant, and otherwise NaN.
/// Rewards that are more than 65,536 decisions late are not learned.
public struct Corral: WrappingPolicy {
  /// Which policies learn from a decision.
  public enum Feedback: String, CaseIterable, Sendable {
    /// The policy whose choice was followed.
    case chosen
    /// All policies that chose the same variant.
    case agreeing
  }

  private static let eta = Parameter.optionalNumber(
    "eta", in: 0...1e3, "rate of learning, {range}; sqrt(M / T) by default")
  private static let feedback = Parameter.word(
    "feedback", default: Feedback.chosen, "who learns: chosen, or agreeing",
    alternatives: "chosen or agreeing")
  private static let horizon = Parameter.horizon(
    "number of decisions T; those of the run when not given")

  /// What there is to say about it.
  public static let guide = Guide(
    "corral", "follows one of several policies, by what they earn",
    [
      Guide.Parameter("policies", nil, "policies in parentheses, with semicolons between them"),
      eta, feedback, horizon,
    ],
    source: "Agarwal, Luo, Neyshabur and Schapire 2017, algorithm 1")

  /// Losses are what lacks to 1.
  public static let needsUnitRewards = true
  /// The policies say whether they can do without variants.
  public static let takesAbsence = true

  /// Other policies draw.
  public static var agentRefusal: String? {
    AgentRefusal.otherPolicies
  }

  /// How it is written.
  public let specification: Specification
  private let policies: [PreparedPolicy]
  private let eta: Double?
  private let horizon: Double?
  private let isAgreeing: Bool

  /// Makes the policy from those that it follows; see ``guide`` for ranges, and for the defaults of values that are nil.
  ///
  /// - Throws: `SpecificationError`: there are no policies, or a value is out of its range.
  public init(
    _ policies: [any Policy], eta: Double? = nil, feedback: Feedback? = nil, horizon: Int? = nil
  ) throws(SpecificationError) {
    guard !policies.isEmpty else { throw Self.noPolicies }
    try self.init(
      Self.guide.specification(
        .init(key: "policies", nesting: policies), Self.eta.written(eta),
        Self.feedback.written(feedback), Self.horizon.written(horizon)),
      policies.map { PreparedPolicy($0) })
  }

  private static var noPolicies: SpecificationError {
    SpecificationError("corral needs policies; write corral:policies=(ucb1);(thompson)")
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: no policies, or a parameter is out of its range.
  public init(
    _ specification: Specification, variants: [String], policies catalog: PolicyCatalog
  ) throws(SpecificationError) {
    guard let policies = try specification.policies("policies", variants: variants, from: catalog)
    else {
      throw Self.noPolicies
    }
    try self.init(specification, policies)
  }

  private init(
    _ specification: Specification, _ policies: [PreparedPolicy]
  ) throws(SpecificationError) {
    self.specification = specification
    self.policies = policies
    eta = try Self.eta.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
    isAgreeing = try Self.feedback.value(in: specification) == .agreeing
  }

  /// Equal probabilities.
  ///
  /// - Throws: `SpecificationError`: a policy is not for such a problem.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> CorralState {
    let decisions = horizon ?? Double(max(1, problem.horizon))
    return CorralState(
      try policies.states(problem), isAgreeing: isAgreeing,
      CorralWeights(policies.count, eta: eta, horizon: decisions))
  }
}

/// The policies of a run.
public struct CorralState: PolicyState {
  private struct Note: Sendable {
    var followed = 0
    /// The probability with which that was followed.
    var share = 1.0
    /// The probability of the variant, given what each policy chose.
    var agreeing = 1.0
  }

  private var policies: [any PolicyState]
  private let isAgreeing: Bool
  private var weights: CorralWeights
  private var choices: [Choice]
  private var ring: ChoiceRing<Note>

  init(_ policies: [any PolicyState], isAgreeing: Bool, _ weights: CorralWeights) {
    self.policies = policies
    self.isAgreeing = isAgreeing
    self.weights = weights
    choices = [Choice](repeating: Choice(0), count: policies.count)
    ring = ChoiceRing(width: policies.count, note: Note())
  }

  /// What one of the policies chooses.
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

  /// The policies that are to learn do so, and the probabilities move.
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

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) {
    for index in policies.indices { policies[index].offer(available) }
  }
}

extension Choice {
  /// The probability with which a policy, having chosen this, could have chosen a variant; NaN if it cannot say.
  func probability(of other: Int, in state: any PolicyState) -> Double {
    if variant == other { return propensity }
    if propensity == 1 { return 0 }
    return (state as? any SharingState)?.probability(of: other) ?? .nan
  }
}

/// The probabilities of policies: mirror descent with the log barrier, and rates that grow.
struct CorralWeights: Sendable {
  /// The probabilities that are drawn from.
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
    // With a single decision there is nothing to grow for.
    growth = horizon > 1 ? Double.exp(1 / Double.log(horizon)) : 1
  }

  /// Moves the probabilities after a loss of one policy, 0 or more, that was divided by its probability.
  mutating func learn(_ index: Int, _ loss: Double) {
    if loss > 0 { descend(index, loss) }
    for policy in mixed.indices {
      mixed[policy] = (1 - mixing) * shares[policy] + mixing / Double(mixed.count)
      guard 1 / mixed[policy] > limits[policy] else { continue }
      limits[policy] = 2 / mixed[policy]
      rates[policy] *= growth
    }
  }

  /// 1/p' = 1/p + η (ℓ − λ) with the λ in 0 ... ℓ that makes all p' add up to 1: Newton's method between bounds.
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
