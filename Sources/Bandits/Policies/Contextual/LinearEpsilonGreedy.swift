public import Specifications
public import Statistics

/// `linear-epsilon-greedy:epsilon=0.1,lambda=1,models=auto,intercept=no`: a uniformly random variant with probability
/// ε, otherwise the one with the best linear prediction.
///
/// J. Langford and T. Zhang, "The epoch-greedy algorithm for contextual multi-armed bandits" (NIPS 2007), with constant
/// ε and ridge regression as the learner, as in the "ε-greedy" of Bietti, Agarwal and Langford, "A contextual bandit
/// bake-off" (JMLR 22, 2021), section 3. The propensities are exact. ``LinearPolicy`` describes the features.
public struct LinearEpsilonGreedy: LinearPolicy {
  /// The probability of a random variant.
  public var epsilon = 0.1
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "linear-epsilon-greedy",
    "a random variant with probability epsilon, otherwise the best linear prediction",
    source: "Bietti, Agarwal and Langford 2021, section 3",
    example: "linear-epsilon-greedy:epsilon=0.1,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.number("epsilon", \.epsilon, in: 0...1, "probability of a random variant, {range}")
    Field.group(\.options)
  }

  public static let needsSpreads = false

  /// Chooses the best variant or a random one.
  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    var best = -Double.infinity
    var ties = 0
    let there = beliefs.table.roster.thereCount
    for variant in beliefs.room.indices where beliefs.table.roster.has(variant) {
      let mean = beliefs.models.means[variant]
      if mean > best { (best, ties) = (mean, 0) }
      if mean == best { ties += 1 }
    }
    // NaN predictions never win; if there are no others, all variants are equally likely.
    let isBlind = ties == 0
    let explores = isBlind || (epsilon > 0 && Draw.unit(using: &random) < epsilon)
    let candidates = max(1, explores ? there : ties)
    var place = candidates == 1 ? 0 : Draw.index(below: candidates, using: &random)
    for variant in beliefs.room.indices where beliefs.table.roster.has(variant) {
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
