public import Specifications
internal import Statistics

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

  public func makeState(_ problem: Problem) -> DiscountedUCBState { DiscountedUCBState(self, problem) }
}

/// The state of a run.
///
/// New rewards get increasing weights, which is equivalent to discounting old ones: the weight of a reward is the
/// growth at the time.
public struct DiscountedUCBState: IndexedState {
  private let xi: Double
  private let step: Double
  private var growth = 1.0
  var table: ArmTable
  private var means: [Double]
  /// N times the growth.
  private var weights: [Double]
  /// The square roots of the inverse weights.
  private var inverseRoots: [Double]
  private var total = 0.0
  /// The width of the bounds over the root of a weight.
  private var width = 0.0

  init(_ policy: DiscountedUCB, _ problem: Problem) {
    xi = policy.xi
    step = 1 / (policy.gamma ?? 1 - (1 / problem.decisions(policy.horizon)).squareRoot() / 4)
    table = ArmTable(problem.variants)
    means = [Double](repeating: 0, count: problem.variants)
    weights = means
    inverseRoots = [Double](repeating: .infinity, count: problem.variants)
  }

  mutating func prepare() {
    let log = max(0, Double.log(total / growth))
    // With a single reward the width is 0, and 0 · ∞ would be NaN.
    width = max(2 * (xi * log * growth).squareRoot(), Double.leastNormalMagnitude)
  }

  @inline(__always)
  func index(_ variant: Int) -> Double { means[variant] + width * inverseRoots[variant] }

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
}
