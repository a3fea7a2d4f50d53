public import Specifications
internal import Statistics

/// `lil-ucb:delta=0.05,sigma=0.5,epsilon=0.01,beta=1,lambda=L`: fixed-confidence best-arm identification with error
/// probability δ, by confidence bounds from the law of the iterated logarithm.
///
/// K. Jamieson, M. Malloy, R. Nowak and S. Bubeck, "lil' UCB: an optimal exploration algorithm for multi-armed bandits"
/// (COLT 2014), figure 1: the variant with the largest m + (1 + β)(1 + √ε)·√(2σ²(1 + ε)·ln(ln((1 + ε)n)/d)/n) is next,
/// until one of them was chosen at least 1 + λ times as often as all others together. By its theorem 2 the probability
/// of an error is δ for d = (√(1 + δ) − 1)²/(4c), c = (2 + ε)/ε·(1/ln(1 + ε))^(1 + ε), and λ = ((2 + β)/β)², the
/// default of `lambda`. `sigma` is the sub-Gaussian scale of the rewards: 1/2 for rewards in 0 ... 1.
public struct LilUCB: Policy {
  /// The probability of a wrong recommendation.
  public var delta = 0.05
  /// The sub-Gaussian scale of the rewards.
  public var sigma = 0.5
  /// ε of the bounds.
  public var epsilon = 0.01
  /// β of the bounds.
  public var beta = 1.0
  /// λ of the rule to stop; nil for ((2 + β)/β)².
  public var lambda: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "lil-ucb", "fixed-confidence best-arm identification, by iterated-logarithm bounds",
    source: "Jamieson, Malloy, Nowak and Bubeck 2014, figure 1",
    example: "lil-ucb:delta=0.05,sigma=0.5,epsilon=0.01,beta=1")

  public static var parameters: [Field] {
    Field.errorProbability(\.delta)
    Field.number(
      "sigma", \.sigma, in: 1e-9...1e9,
      "sub-Gaussian scale of the rewards, {range}; 0.5 for rewards in 0 to 1"
    )
    Field.number("epsilon", \.epsilon, in: 1e-6...1, "{range}")
    Field.number("beta", \.beta, in: 1e-6...1e6, "{range}")
    Field.number("lambda", \.lambda, in: 1e-6...1e9, "{range}; ((2 + beta) / beta)^2 by default")
  }

  public func makeState(_ problem: Problem) -> LilUCBState {
    LilUCBState(LilBounds(self), problem.variants)
  }
}

/// The bounds of `lil-ucb`.
struct LilBounds: Sendable {
  /// The factor of the root of the iterated logarithm over n.
  private let scale: Double
  private let growth: Double
  let lambda: Double
  /// d, the δ of the bounds, not of the recommendation.
  let inner: Double

  init(_ policy: LilUCB) {
    let (epsilon, beta) = (policy.epsilon, policy.beta)
    let root = (2 + beta) / beta
    lambda = policy.lambda ?? root * root
    growth = 1 + epsilon
    scale = (1 + beta) * (1 + epsilon.squareRoot()) * policy.sigma * (2 * growth).squareRoot()
    let c = (2 + epsilon) / epsilon * Double.pow(1 / Double.log(onePlus: epsilon), growth)
    // √(1 + δ) − 1 without cancellation.
    let part = policy.delta / ((1 + policy.delta).squareRoot() + 1)
    inner = part * part / (4 * c)
  }

  /// Returns the width of the upper bound above the mean for n rewards, at least 1.
  func width(_ n: Double) -> Double {
    scale * (Double.log(Double.log(growth * n) / inner) / n).squareRoot()
  }
}

/// The state of `lil-ucb`.
public struct LilUCBState: IndexedState {
  private let rule: LilBounds
  var table: ArmTable
  private var bounds: [Double]
  private(set) var found: Int?

  init(_ rule: LilBounds, _ variants: Int) {
    self.rule = rule
    table = ArmTable(variants)
    bounds = [Double](repeating: .infinity, count: variants)
  }

  func index(_ variant: Int) -> Double { bounds[variant] }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    let arm = table.arms[variant]
    let n = Double(arm.decisions)
    bounds[variant] = arm.mean + rule.width(n)
    if found == nil, table.learned >= bounds.count,
      n >= 1 + rule.lambda * Double(table.learned - arm.decisions)
    {
      found = variant
    }
  }
}
