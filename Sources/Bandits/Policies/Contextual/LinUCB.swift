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
  /// The width of the confidence bound in standard deviations.
  public var alpha = 1.0
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "linucb", "linear prediction plus alpha standard deviations",
    source: "Li, Chu, Langford and Schapire 2010, algorithm 1",
    example: "linucb:alpha=1,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.number(
      "alpha", \.alpha, in: 0...1e9, "width of the confidence bound in standard deviations, {range}"
    )
    Field.group(\.options)
  }

  public static let needsSpreads = true

  /// Chooses the largest upper confidence bound, breaking ties at random.
  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    beliefs.table.roster.largest(&random) {
      beliefs.models.means[$0] + alpha * SquareRoot.of(beliefs.models.spreads[$0])
    }
  }
}
