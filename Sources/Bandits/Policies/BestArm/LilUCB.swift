public import Specifications
public import Statistics

/// `lil-ucb:delta=0.05,sigma=0.5,epsilon=0.01,beta=1,lambda=L`: fixed-confidence best-arm identification with error
/// probability δ, by confidence bounds from the law of the iterated logarithm.
///
/// K. Jamieson, M. Malloy, R. Nowak and S. Bubeck, "lil' UCB: an optimal exploration algorithm for multi-armed bandits"
/// (COLT 2014), figure 1: the variant with the largest m + (1 + β)(1 + √ε)·√(2σ²(1 + ε)·ln(ln((1 + ε)n)/d)/n) is next,
/// until one of them was chosen at least 1 + λ times as often as all others together. By its theorem 2 the probability
/// of an error is δ for d = (√(1 + δ) − 1)²/(4c), c = (2 + ε)/ε·(1/ln(1 + ε))^(1 + ε), and λ = ((2 + β)/β)², the
/// default of `lambda`. `sigma` is the sub-Gaussian scale of the rewards: 1/2 for rewards in 0 ... 1.
public struct LilUCB: Policy {
  private static let delta = Parameter.number(
    "delta", default: 0.05, in: 1e-12...0.5,
    "probability of a wrong recommendation, {range}")
  private static let sigma = Parameter.number(
    "sigma", default: 0.5, in: 1e-9...1e9,
    "sub-Gaussian scale of the rewards, {range}; 0.5 for rewards in 0 to 1")
  private static let epsilon = Parameter.number(
    "epsilon", default: 0.01, in: 1e-6...1,
    "{range}")
  private static let beta = Parameter.number(
    "beta", default: 1, in: 1e-6...1e6,
    "{range}")
  private static let lambda = Parameter.optionalNumber(
    "lambda", in: 1e-6...1e9, "{range}; ((2 + beta) / beta)^2 by default")

  public static let info = SpecificationInfo(
    "lil-ucb", "fixed-confidence best-arm identification, by iterated-logarithm bounds",
    [
      delta,
      sigma,
      epsilon,
      beta,
      lambda,
    ], source: "Jamieson, Malloy, Nowak and Bubeck 2014, figure 1")

  public let specification: Specification
  /// The factor of the root of the iterated logarithm over n.
  private let scale: Double
  private let growth: Double
  let lambda: Double
  /// d, the δ of the bounds, not of the recommendation.
  let inner: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    delta: Double? = nil, sigma: Double? = nil, epsilon: Double? = nil, beta: Double? = nil,
    lambda: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.delta.written(delta), Self.sigma.written(sigma), Self.epsilon.written(epsilon),
        Self.beta.written(beta), Self.lambda.written(lambda)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    let delta = try Self.delta.value(in: specification)
    let sigma = try Self.sigma.value(in: specification)
    let epsilon = try Self.epsilon.value(in: specification)
    let beta = try Self.beta.value(in: specification)
    let root = (2 + beta) / beta
    lambda = try Self.lambda.value(in: specification) ?? root * root
    growth = 1 + epsilon
    scale = (1 + beta) * (1 + epsilon.squareRoot()) * sigma * (2 * growth).squareRoot()
    let c = (2 + epsilon) / epsilon * Double.pow(1 / Double.log(onePlus: epsilon), growth)
    // √(1 + δ) − 1 without cancellation.
    let part = delta / ((1 + delta).squareRoot() + 1)
    inner = part * part / (4 * c)
  }

  public func makeState(_ problem: Problem) -> LilUCBState {
    LilUCBState(self, problem.variants)
  }

  /// Returns the width of the upper bound above the mean for n rewards, at least 1.
  func width(_ n: Double) -> Double {
    scale * (Double.log(Double.log(growth * n) / inner) / n).squareRoot()
  }
}

/// The state of `lil-ucb`.
public struct LilUCBState: AllocatingState {
  private let policy: LilUCB
  private var table: ArmTable
  private var bounds: [Double]
  private var found: Int?

  init(_ policy: LilUCB, _ variants: Int) {
    self.policy = policy
    table = ArmTable(variants)
    bounds = [Double](repeating: .infinity, count: variants)
  }

  /// Chooses the variant with the largest bound; after stopping, the identified one.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let found { return Choice(found) }
    return table.unchosen(&random) ?? table.largest(&random) { bounds[$0] }
  }

  public var allocation: Allocation {
    found.map { .only($0, of: bounds.count) } ?? table.allocation { bounds[$0] }
  }

  public mutating func note(_ variant: Int) { table.settle(variant) }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    let arm = table.arms[variant]
    let n = Double(arm.decisions)
    bounds[variant] = arm.mean + policy.width(n)
    if found == nil, table.learned >= bounds.count,
      n >= 1 + policy.lambda * Double(table.learned - arm.decisions)
    {
      found = variant
    }
  }

  /// The identified variant; nil before that, for the most often chosen one.
  public var recommendation: Int? { found }

  /// Whether one variant was chosen far more often than the others.
  public var hasStopped: Bool { found != nil }
}
