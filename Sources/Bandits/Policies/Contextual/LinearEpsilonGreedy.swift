public import Specifications
public import Statistics

/// `linear-epsilon-greedy:epsilon=0.1,lambda=1,models=auto,intercept=no`: a uniformly random variant with probability
/// ε, otherwise the one with the best linear prediction.
///
/// J. Langford and T. Zhang, "The epoch-greedy algorithm for contextual multi-armed bandits" (NIPS 2007), with constant
/// ε and ridge regression as the learner, as in the "ε-greedy" of Bietti, Agarwal and Langford, "A contextual bandit
/// bake-off" (JMLR 22, 2021), section 3. The propensities are exact. ``LinearPolicy`` describes the features.
public struct LinearEpsilonGreedy: LinearPolicy {
  private static let epsilon = Parameter.number(
    "epsilon", default: 0.1, in: 0...1,
    "probability of a random variant, {range}")

  public static let info = SpecificationInfo(
    "linear-epsilon-greedy",
    "a random variant with probability epsilon, otherwise the best linear prediction",
    [epsilon]
      + LinearModels.parameters, source: "Bietti, Agarwal and Langford 2021, section 3")

  public static let needsSpreads = false

  public let specification: Specification
  private let options: LinearModels.Options
  private let epsilon: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    epsilon: Double? = nil, lambda: Double? = nil, models: ContextModels? = nil,
    intercept: Bool? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.epsilon.written(epsilon), LinearModels.lambda.written(lambda),
        ContextFeatures.models.written(models), ContextFeatures.intercept.written(intercept)),
      variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    options = try LinearModels.Options(specification)
    epsilon = try Self.epsilon.value(in: specification)
  }

  public func makeState(
    _ problem: Problem
  ) throws(SpecificationError) -> LinearState<LinearEpsilonGreedy> {
    try LinearState(self, problem, options)
  }

  /// Chooses the best variant or a random one.
  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    var best = -Double.infinity
    var ties = 0
    let there = beliefs.table.thereCount
    for variant in beliefs.room.indices where beliefs.table.has(variant) {
      let mean = beliefs.models.means[variant]
      if mean > best { (best, ties) = (mean, 0) }
      if mean == best { ties += 1 }
    }
    // NaN predictions never win; if there are no others, all variants are equally likely.
    let isBlind = ties == 0
    let explores = isBlind || (epsilon > 0 && Draw.unit(using: &random) < epsilon)
    let candidates = max(1, explores ? there : ties)
    var place = candidates == 1 ? 0 : Draw.index(below: candidates, using: &random)
    for variant in beliefs.room.indices where beliefs.table.has(variant) {
      let isBest = beliefs.models.means[variant] == best
      guard explores || isBest else { continue }
      if place == 0 {
        let greedy = isBlind ? 1 / Double(there) : isBest ? 1 / Double(ties) : 0
        return Choice(variant, propensity: epsilon / Double(there) + (1 - epsilon) * greedy)
      }
      place -= 1
    }
    return Choice(0)
  }
}
