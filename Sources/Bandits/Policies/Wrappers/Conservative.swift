public import Specifications
public import Statistics

/// `conservative:policy=(ucb1),baseline=A,alpha=0.1,delta=0.05`: wraps a policy and lets it explore only while its
/// cumulative reward is certain to stay above 1 − α of what the baseline would have earned, at every step.
///
/// Y. Wu, R. Shariff, T. Lattimore and C. Szepesvári, "Conservative bandits" (ICML 2016), algorithm 1 with an unknown
/// baseline (section 3.3). The policy's choice J at step t is taken if Σ n λ + λ of J + (n₀ − (1 − α) t) θ₀ ≥ 0, summed
/// over the variants other than the baseline, with the numbers n of decisions and lower bounds λ of means; θ₀ is the
/// upper bound of the baseline's mean, or its lower bound if the factor is positive. Otherwise the baseline is chosen.
/// With probability 1 − δ all bounds hold at all times, and with them the guarantee.
///
/// The bounds are Kullback–Leibler bounds for rewards in 0 ... 1 with n·kl(mean, bound) ≤ ln(K n³/δ), the level of the
/// paper's ψ; they lie within its Gaussian ones. The policy learns only from the decisions that it made itself. The
/// propensity is exact if the policy had no alternative, if nothing but the baseline was allowed, if its choice was
/// taken and is not the baseline, if all its choices were allowed, or if it knows all its probabilities; NaN otherwise.
/// Rewards delayed by more than 65,536 decisions are ignored.
public struct Conservative: Policy {
  /// The wrapped policy, which is required.
  public var policy: PreparedPolicy?
  /// The name of the baseline variant, which is required.
  public var baseline: String?
  /// The names of all variants, in order.
  public var variants: [String] = []
  /// The fraction of the baseline's rewards that may be lost.
  public var alpha = 0.1
  /// The probability that more is lost.
  public var delta = 0.05
  public var specification = Self.info.specification()
  private var index = 0

  /// Creates the wrapper without the policy and the baseline that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "conservative", "wraps a policy, with rewards guaranteed relative to a baseline variant",
    source: "Wu, Shariff, Lattimore and Szepesvári 2016, algorithm 1 and section 3.3",
    example: "conservative:policy=(ucb1),baseline=1,alpha=0.1")

  public static var parameters: [Field] {
    Field.policy("policy", \.policy, "the policy, in parentheses")
    Field.variant("baseline", \.baseline, of: \.variants, "the name of the baseline variant")
    Field.number(
      "alpha", \.alpha, in: 0...1, "fraction of the baseline's rewards that may be lost, {range}"
    )
    Field.number("delta", \.delta, in: 1e-9...1, "probability that more is lost, {range}")
  }

  /// Bounds of means are needed before the first reward.
  public static let needsUnitRewards = true

  public static var agentIncompatibility: String? { AgentRefusal.otherPolicies }

  public mutating func validate() throws(SpecificationError) {
    guard let baseline else {
      throw SpecificationError(
        "conservative needs a variant to compare with; write conservative:policy=(ucb1),baseline=NAME"
      )
    }
    guard let index = variants.firstIndex(of: baseline) else {
      throw SpecificationError(
        "\"\(baseline)\" of \(specification) is not among the variants; they are "
          + variants.joined(separator: ", "))
    }
    self.index = index
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> ConservativeState {
    guard problem.variants == variants.count else {
      throw SpecificationError(
        "\(specification) was created for \(variants.count) variants, not for \(problem.variants); create it again"
      )
    }
    return ConservativeState(
      try policy.makeState(problem, in: self),
      ConservativeBudget(variants.count, baseline: index, alpha: alpha, delta: delta))
  }
}

/// The policy in a run.
public struct ConservativeState: PolicyState {
  private var base: any PolicyState
  private var budget: ConservativeBudget
  private var made = [Choice(0)]
  /// Holds whether the policy's own choice was taken.
  private var ring = PendingChoices(width: 1, note: false)

  init(_ base: any PolicyState, _ budget: ConservativeBudget) {
    (self.base, self.budget) = (base, budget)
  }

  /// Chooses what the policy chooses if the budget allows it, otherwise the baseline.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let own = base.choose(context, &random)
    let isTaken = own.variant == budget.baseline || budget.allows(own.variant)
    let variant = isTaken ? own.variant : budget.baseline
    let propensity = propensity(own, variant)
    budget.decide(variant)
    made[0] = own
    return Choice(variant, propensity: propensity, memo: ring.add(isTaken, made))
  }

  /// Returns the propensity; the baseline also has the probabilities of the disallowed choices.
  private func propensity(_ own: Choice, _ variant: Int) -> Double {
    if variant != budget.baseline || own.propensity == 1 { return own.propensity }
    var isAnyAllowed = false
    var isAnyRefused = false
    var sum = own.probability(of: variant, in: base)
    for other in budget.indices where other != budget.baseline {
      if budget.allows(other) {
        isAnyAllowed = true
      } else {
        isAnyRefused = true
        sum += own.probability(of: other, in: base)
      }
    }
    if !isAnyAllowed { return 1 }
    return isAnyRefused ? min(1, sum) : own.propensity
  }

  /// Updates the bounds, and passes the reward to the policy if the choice was its own.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    budget.learn(choice.variant, reward.inUnitRange)
    guard ring.take(choice.memo) == true else { return }
    base.learn(ring.choice(choice.memo, 0), reward, context)
  }

  public var recommendation: Int? { base.recommendation }

  public var hasStopped: Bool { base.hasStopped }
}

/// The certain earnings, and what the baseline may have earned.
struct ConservativeBudget: Sendable {
  let baseline: Int
  private let kept: Double
  /// ln(K/δ).
  private let level: Double
  private var decided: [Double]
  private var counts: [Double]
  private var means: [Double]
  private var lower: [Double]
  /// The upper bound of the baseline's mean.
  private var upper = 1.0
  private var steps = 0.0

  init(_ variants: Int, baseline: Int, alpha: Double, delta: Double) {
    self.baseline = baseline
    kept = 1 - alpha
    level = Double.log(Double(variants) / delta)
    decided = [Double](repeating: 0, count: variants)
    (counts, means, lower) = (decided, decided, decided)
  }

  var indices: Range<Int> { decided.indices }

  /// Returns whether a variant other than the baseline may be next.
  func allows(_ variant: Int) -> Bool {
    var earned = lower[variant]
    for other in decided.indices where other != baseline { earned += decided[other] * lower[other] }
    let factor = decided[baseline] - kept * (steps + 1)
    return earned + factor * (factor < 0 ? upper : lower[baseline]) >= 0
  }

  mutating func decide(_ variant: Int) {
    decided[variant] += 1
    steps += 1
  }

  mutating func learn(_ variant: Int, _ reward: Double) {
    counts[variant] += 1
    let n = counts[variant]
    // Rounding must not leave the unit range.
    means[variant] = (means[variant] + (reward - means[variant]) / n).inUnitRange
    let bound = max(0, level + 3 * Double.log(n)) / n
    lower[variant] =
      1 - BernoulliDivergence.upperBound(1 - means[variant], level: bound)
    if variant == baseline {
      upper = BernoulliDivergence.upperBound(means[variant], level: bound)
    }
  }
}
