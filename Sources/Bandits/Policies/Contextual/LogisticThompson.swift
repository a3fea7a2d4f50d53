public import Statistics

/// `logistic-thompson:covariance=diagonal,lambda=1,models=auto,intercept=no`: the variant that is the best by weights of
/// a logistic regression drawn from their posterior, for rewards in 0 ... 1.
///
/// O. Chapelle and L. Li, "An empirical evaluation of Thompson sampling" (NIPS 2011), algorithm 3: Laplace's
/// approximation after each reward, with independent weights; `covariance=full` keeps all their covariances. With
/// `models=each` the predictions are drawn, which are independent and normal, with the same result as for drawn
/// weights. What describes a variant: ``LinearPolicy``.
public struct LogisticThompson: Policy {
  /// What is kept of the covariance of the weights.
  public enum Covariance: String, CaseIterable, Sendable {
    /// The variance of each weight.
    case diagonal
    /// All covariances.
    case full
  }

  private static let covariance = Parameter.word(
    "covariance", default: Covariance.diagonal,
    "diagonal for independent weights, full for all covariances")

  /// What there is to say about it.
  public static let guide = Guide(
    "logistic-thompson", "the best by weights of a logistic model drawn from their posterior",
    [covariance] + LinearModels.parameters, source: "Chapelle and Li 2011, algorithm 3")

  /// Without a context there is nothing to choose by.
  public static let needsContext = true

  /// The best of those that are there.
  public static let takesAbsence = true

  /// Rewards are successes, or parts of them.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  fileprivate let options: LinearModels.Options
  fileprivate let isFull: Bool

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(
    covariance: Covariance? = nil, lambda: Double? = nil, models: ContextModels? = nil,
    intercept: Bool? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(
        Self.covariance.written(covariance), LinearModels.lambda.written(lambda),
        ContextFeatures.models.written(models), ContextFeatures.intercept.written(intercept)),
      variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    options = try LinearModels.Options(specification)
    isFull = try Self.covariance.value(in: specification) == .full
  }

  /// Nothing is known but the prior.
  ///
  /// - Throws: `SpecificationError`: models and context do not go together.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> LogisticThompsonState {
    try LogisticThompsonState(self, problem)
  }
}

/// The posteriors of a run.
public struct LogisticThompsonState: PolicyState {
  private let features: ContextFeatures
  private(set) var models: LogisticModels
  private var table: ArmTable
  private var scores: [Double]
  /// The factor of the one model; nil after a reward.
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

  /// The best by drawn weights: it has its probability without an integral, which is why the choice does not say it.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let isOne = features.modelCount == 1
    if isOne { drawWeights(&random) }
    for variant in scores.indices {
      if variant == 0 || !features.isCommon { features.write(context, variant, into: &x) }
      if isOne {
        scores[variant] = PackedSymmetric.dot(draw, 0, x, count: x.count)
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

  /// Teaches the model of the variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    features.write(context, choice.variant, into: &x)
    models.learn(features.model(choice.variant), x, reward)
    factor = nil
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
