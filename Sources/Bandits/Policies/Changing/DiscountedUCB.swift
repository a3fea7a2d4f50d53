public import Specifications
public import Statistics

/// `discounted-ucb:gamma=0.99,xi=0.6`: mean + 2 √(ξ ln n/N) with rewards discounted by γ at each step.
///
/// A. Garivier and E. Moulines, "On upper-confidence bound policies for switching bandit problems" (ALT 2011), section
/// 3.1, with B = 1: rewards in 0 ... 1. N and the mean are those of a variant with rewards discounted by the number of
/// rewards learned since, n is the sum of all N. `gamma` defaults to 1 − ¼ √(1/T), theirs for a single change.
public struct DiscountedUCB: Policy {
  /// The discount.
  public var gamma: Double?
  /// The width of the confidence bound.
  public var xi = 0.6
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "discounted-ucb", "mean + 2 sqrt(xi ln n / N) with discounted rewards",
    source: "Garivier and Moulines 2011, section 3.1", example: "discounted-ucb:gamma=0.99,xi=0.6")

  public static var parameters: [Field] {
    Field.number(
      "gamma", \.gamma, in: 0.001...1, "discount, {range}; 1 - sqrt(1 / T) / 4 by default"
    )
    Field.number("xi", \.xi, in: 0...1e9, "width of the confidence bound, {range}")
    Field.horizon(\.horizon)
  }

  /// Chooses the largest index among the available variants.
  public static let supportsUnavailableVariants = true

  public var needsHorizon: Bool { gamma == nil && horizon == nil }

  public func makeState(_ problem: Problem) -> DiscountedUCBState {
    let decisions = horizon ?? Double(max(1, problem.horizon))
    return DiscountedUCBState(
      problem.variants, gamma: gamma ?? 1 - (1 / decisions).squareRoot() / 4, xi: xi)
  }
}

/// The state of a run.
///
/// New rewards get increasing weights, which is equivalent to discounting old ones: the weight of a reward is the
/// growth at the time.
public struct DiscountedUCBState: AllocatingState {
  private let xi: Double
  private let step: Double
  private var growth = 1.0
  private var table: ArmTable
  private var means: [Double]
  /// N times the growth.
  private var weights: [Double]
  /// The square roots of the inverse weights.
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

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let width = self.width
    return table.largest(&random) { means[$0] + width * inverseRoots[$0] }
  }

  @inline(__always)
  private var width: Double {
    let log = max(0, Double.log(total / growth))
    // With a single reward the width is 0, and 0 · ∞ would be NaN.
    return max(2 * (xi * log * growth).squareRoot(), Double.leastNormalMagnitude)
  }

  public var allocation: Allocation {
    let width = self.width
    return table.allocation { means[$0] + width * inverseRoots[$0] }
  }

  public mutating func note(_ variant: Int) { table.settle(variant) }

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

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
