public import Statistics

/// `discounted-ucb:gamma=0.99,xi=0.6`: mean + 2 √(ξ ln n/N) with rewards that count γ times less at each step.
///
/// A. Garivier and E. Moulines, "On upper-confidence bound policies for switching bandit problems" (ALT 2011), section
/// 3.1, with B = 1: rewards in 0 ... 1. N and the mean are those of a variant with rewards discounted by how many
/// rewards were learned since, n is the sum of all N. Without `gamma` it is 1 − ¼ √(1/T), theirs for a single change.
public struct DiscountedUCB: Policy {
  private static let gamma = Parameter.optionalNumber(
    "gamma", in: 0.001...1, "discount, {range}; 1 - sqrt(1 / T) / 4 by default")
  private static let xi = Parameter.number(
    "xi", default: 0.6, in: 0...1e9,
    "how wide the bound is, {range}")
  private static let horizon = Parameter.horizon()

  /// What there is to say about it.
  public static let guide = Guide(
    "discounted-ucb", "mean + 2 sqrt(xi ln n / N) with rewards that count less and less",
    [
      gamma,
      xi,
      horizon,
    ],
    source: "Garivier and Moulines 2011, section 3.1")

  /// The largest index among those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification
  private let gamma: Double?
  private let xi: Double
  private let horizon: Double?

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(gamma: Double? = nil, xi: Double? = nil, horizon: Int? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.guide.specification(
        Self.gamma.written(gamma), Self.xi.written(xi), Self.horizon.written(horizon)), variants: []
    )
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    gamma = try Self.gamma.value(in: specification)
    xi = try Self.xi.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
  }

  /// Where it was not written.
  public var needsHorizon: Bool { gamma == nil && horizon == nil }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> DiscountedUCBState {
    let decisions = horizon ?? Double(max(1, problem.horizon))
    return DiscountedUCBState(
      problem.variants, gamma: gamma ?? 1 - (1 / decisions).squareRoot() / 4, xi: xi)
  }
}

/// What a run has learned.
///
/// Instead of all that is old becoming less, what is new counts more: a reward's weight is the growth of the moment.
public struct DiscountedUCBState: AllocatingState {
  private let xi: Double
  private let step: Double
  private var growth = 1.0
  private var table: ArmTable
  private var means: [Double]
  /// N times the growth.
  private var weights: [Double]
  /// The square roots of their inverses.
  private var inverseRoots: [Double]
  private var total = 0.0

  init(_ variants: Int, gamma: Double, xi: Double) {
    self.xi = xi
    step = 1 / gamma
    table = ArmTable(variants)
    means = [Double](repeating: 0, count: variants)
    weights = means
    inverseRoots = [Double](repeating: .infinity, count: variants)
  }

  /// The variant with the largest index.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let width = self.width
    return table.largest(&random) { means[$0] + width * inverseRoots[$0] }
  }

  @inline(__always)
  private var width: Double {
    let log = max(0, Double.log(total / growth))
    // With a single reward the width is 0, and 0 · ∞ would be no number.
    return max(2 * (xi * log * growth).squareRoot(), Double.leastNormalMagnitude)
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    let width = self.width
    return table.allocation { means[$0] + width * inverseRoots[$0] }
  }

  /// A decision for the variant was drawn.
  public mutating func note(_ variant: Int) { table.settle(variant) }

  /// Adds the reward; those before count less.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    growth *= step
    weights[variant] += growth
    means[variant] += (reward - means[variant]) * (growth / weights[variant])
    inverseRoots[variant] = 1 / weights[variant].squareRoot()
    total += growth
    if growth > 1e100 { rescale() }
  }

  private mutating func rescale() {
    for variant in weights.indices {
      weights[variant] /= growth
      inverseRoots[variant] = 1 / weights[variant].squareRoot()
    }
    total = weights.added
    growth = 1
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
