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

  /// The covariance: diagonal for independent weights, full for all covariances.
  public var covariance = Covariance.diagonal
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "logistic-thompson", "the best variant under logistic weights drawn from their posterior",
    source: "Chapelle and Li 2011, algorithm 3",
    example: "logistic-thompson:covariance=diagonal,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.word(
      "covariance", \.covariance, "diagonal for independent weights, full for all covariances"
    )
    Field.group(\.options)
  }

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  /// A reward is a success, or a fraction of one.
  public static let needsUnitRewards = true

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
  private var draw: [Double]
  private var x: [Double]

  init(_ policy: LogisticThompson, _ problem: Problem) throws(SpecificationError) {
    features = try ContextFeatures(problem, policy.options, of: LogisticThompson.info.name)
    models = LogisticModels(
      features.modelCount, dimension: features.dimension, ridge: policy.options.lambda,
      isFull: policy.covariance == .full)
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
    var choice = table.roster.largest(&random) { scores[$0] }
    choice.propensity = .nan
    return choice
  }

  private mutating func drawWeights(_ random: inout Xoshiro256) {
    for feature in draw.indices { draw[feature] = Draw.normal(using: &random) }
    models.solve(&draw)
    for feature in draw.indices { draw[feature] += models.weights[feature] }
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    features.write(context, choice.variant, into: &x)
    models.learn(features.model(choice.variant), x, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
