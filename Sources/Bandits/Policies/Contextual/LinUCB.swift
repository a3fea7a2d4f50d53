public import Statistics

/// `linucb:alpha=1,lambda=1,models=auto,intercept=no`: θ·x + α·√(xᵀA⁻¹x), the predicted mean and as many standard
/// deviations of it.
///
/// L. Li, W. Chu, J. Langford and R. E. Schapire, "A contextual-bandit approach to personalized news article
/// recommendation" (WWW 2010), algorithm 1 for `models=each` ("disjoint", λ = 1). With `models=one` it is the
/// LinUCB of W. Chu, L. Li, L. Reyzin and R. E. Schapire, "Contextual bandits with linear payoff functions" (AISTATS
/// 2011), algorithm 1. What describes a variant: ``LinearPolicy``.
public struct LinUCB: LinearPolicy {
  private static let alpha = Parameter.number(
    "alpha", default: 1, in: 0...1e9,
    "standard deviations above the prediction, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "linucb", "linear prediction and alpha standard deviations of it",
    [alpha]
      + LinearModels.parameters, source: "Li, Chu, Langford and Schapire 2010, algorithm 1")

  /// The bonus follows from them.
  public static let needsSpreads = true

  /// How it is written.
  public let specification: Specification
  private let options: LinearModels.Options
  private let alpha: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(
    alpha: Double? = nil, lambda: Double? = nil, models: ContextModels? = nil,
    intercept: Bool? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(
        Self.alpha.written(alpha), LinearModels.lambda.written(lambda),
        ContextFeatures.models.written(models), ContextFeatures.intercept.written(intercept)),
      variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    options = try LinearModels.Options(specification)
    alpha = try Self.alpha.value(in: specification)
  }

  /// Nothing is known.
  ///
  /// - Throws: `SpecificationError`: models and context do not go together.
  public func makeState(_ problem: Problem) throws(SpecificationError) -> LinearState<LinUCB> {
    try LinearState(self, problem, options)
  }

  /// The largest bound; ties are broken at random.
  public func decide(_ beliefs: inout LinearBeliefs, _ random: inout Xoshiro256) -> Choice {
    beliefs.table.largest(&random) {
      beliefs.models.means[$0] + alpha * beliefs.models.spreads[$0].squareRoot()
    }
  }
}
