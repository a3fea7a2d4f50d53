public import Specifications
public import Statistics

/// `linucb:alpha=1,lambda=1,models=auto,intercept=no`: θ·x + α·√(xᵀA⁻¹x), the predicted mean plus α standard
/// deviations.
///
/// L. Li, W. Chu, J. Langford and R. E. Schapire, "A contextual-bandit approach to personalized news article
/// recommendation" (WWW 2010), algorithm 1 for `models=each` ("disjoint", λ = 1). With `models=one` it is the LinUCB of
/// W. Chu, L. Li, L. Reyzin and R. E. Schapire, "Contextual bandits with linear payoff functions" (AISTATS 2011),
/// algorithm 1. ``LinearPolicy`` describes the features.
public struct LinUCB: LinearPolicy {
  private static let alpha = Parameter.number(
    "alpha", default: 1, in: 0...1e9,
    "width of the confidence bound in standard deviations, {range}")

  public static let info = SpecificationInfo(
    "linucb", "linear prediction plus alpha standard deviations",
    [alpha]
      + LinearModels.parameters, source: "Li, Chu, Langford and Schapire 2010, algorithm 1")

  public static let needsSpreads = true

  public let specification: Specification
  private let options: LinearModels.Options
  private let alpha: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    alpha: Double? = nil, lambda: Double? = nil, models: ContextModels? = nil,
    intercept: Bool? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.alpha.written(alpha), LinearModels.lambda.written(lambda),
        ContextFeatures.models.written(models), ContextFeatures.intercept.written(intercept)),
      variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    options = try LinearModels.Options(specification)
    alpha = try Self.alpha.value(in: specification)
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LinearState<LinUCB> {
    try LinearState(self, problem, options)
  }

  /// Chooses the largest upper confidence bound, breaking ties at random.
  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    beliefs.table.largest(&random) {
      beliefs.models.means[$0] + alpha * SquareRoot.of(beliefs.models.spreads[$0])
    }
  }
}
