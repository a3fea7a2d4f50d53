public import Specifications
public import Statistics

/// `logistic-thompson:covariance=diagonal,lambda=1,models=auto,intercept=no`: logistic Thompson sampling: the best
/// variant under weights of a logistic regression drawn from their posterior, for rewards in 0 ... 1.
///
/// O. Chapelle and L. Li, "An empirical evaluation of Thompson sampling" (NIPS 2011), algorithm 3: Laplace's
/// approximation after each reward, with independent weights; `covariance=full` keeps all their covariances. With
/// `models=each` the predictions, which are independent and normal, are drawn directly, which is equivalent to drawing
/// weights. ``LinearPolicy`` describes the features.
public struct LogisticThompson: Policy {
  /// The form of the posterior covariance of the weights.
  public enum Covariance: String, CaseIterable, Sendable {
    /// The variance of each weight.
    case diagonal
    /// All covariances.
    case full
  }

  private static let covariance = Parameter.word(
    "covariance", default: Covariance.diagonal,
    "diagonal for independent weights, full for all covariances")

  public static let info = SpecificationInfo(
    "logistic-thompson", "the best variant under logistic weights drawn from their posterior",
    [covariance] + LinearModels.parameters, source: "Chapelle and Li 2011, algorithm 3")

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  /// A reward is a success, or a fraction of one.
  public static let needsUnitRewards = true

  public let specification: Specification
  fileprivate let options: LinearModels.Options
  fileprivate let isFull: Bool

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    covariance: Covariance? = nil, lambda: Double? = nil, models: ContextModels? = nil,
    intercept: Bool? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.covariance.written(covariance), LinearModels.lambda.written(lambda),
        ContextFeatures.models.written(models), ContextFeatures.intercept.written(intercept)),
      variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    options = try LinearModels.Options(specification)
    isFull = try Self.covariance.value(in: specification) == .full
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LogisticThompsonState {
    try LogisticThompsonState(self, problem)
  }
}

/// The state of a run: the posteriors.
public struct LogisticThompsonState: PolicyState {
  private let features: ContextFeatures
  private(set) var models: LogisticModels
  private var table: ArmTable
  private var scores: [Double]
  /// The Cholesky factor of the joint model; nil after a reward.
  private var factor: [Double]?
  private let isFull: Bool
  private var draw: [Double]
  private var x: [Double]

  init(_ policy: LogisticThompson, _ problem: Problem) throws(SpecificationError) {
    features = try ContextFeatures(problem, policy.options.features)
    isFull = policy.isFull
    models = LogisticModels(
      features.modelCount, dimension: features.dimension, ridge: policy.options.ridge,
      isFull: policy.isFull)
    table = ArmTable(problem.variants)
    scores = [Double](repeating: 0, count: problem.variants)
    draw = [Double](repeating: 0, count: features.dimension)
    x = draw
  }

  /// Chooses the best variant under weights drawn from the posterior; its propensity, an integral, is not computed.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let isOne = features.modelCount == 1
    if isOne { drawWeights(&random) }
    for variant in scores.indices {
      if variant == 0 || !features.isCommon { features.write(context, variant, into: &x) }
      if isOne {
        scores[variant] = DotProducts.one(draw, 0, x, count: x.count)
      } else {
        let deviation = models.spread(variant, x).squareRoot()
        scores[variant] = models.mean(variant, x) + deviation * Draw.normal(using: &random)
      }
    }
    var choice = table.largest(&random) { scores[$0] }
    choice.propensity = .nan
    return choice
  }

  private mutating func drawWeights(_ random: inout Xoshiro256) {
    for feature in draw.indices { draw[feature] = Draw.normal(using: &random) }
    if isFull {
      if factor == nil { factor = models.factor(0) }
      if let factor { PackedSymmetric.solveUpper(factor, &draw) }
    } else {
      for feature in draw.indices { draw[feature] /= models.precision[feature].squareRoot() }
    }
    for feature in draw.indices { draw[feature] += models.weights[feature] }
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    features.write(context, choice.variant, into: &x)
    models.learn(features.model(choice.variant), x, reward)
    factor = nil
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
