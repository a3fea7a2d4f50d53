public import Specifications
public import Statistics

/// `squarecb:scale=10,exponent=0.5,lambda=1,models=auto,intercept=no`: inverse gap weighting: the further a prediction
/// is behind the best one, the less likely the variant.
///
/// D. Foster and A. Rakhlin, "Beyond UCB: optimal and efficient contextual bandits with regression oracles" (ICML
/// 2020), algorithm 1: with the best prediction ŷ* of K, any other variant has the probability 1/(K + γ(ŷ* − ŷ)), and
/// the best one has the rest. γ is scale·t^exponent at decision t, as in Vowpal Wabbit, whose defaults these are; the
/// paper's γ for a known horizon is a scale with `exponent=0`. The regression oracle is ridge regression. The
/// propensities are exact. ``LinearPolicy`` describes the features.
public struct SquareCB: LinearPolicy {
  /// γ at the first decision.
  public var scale = 10.0
  /// The exponent of the growth of gamma.
  public var exponent = 0.5
  /// The models and their features.
  public var options = LinearOptions()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "squarecb", "probabilities by the inverse gap to the best linear prediction",
    source: "Foster and Rakhlin 2020, algorithm 1",
    example: "squarecb:scale=10,exponent=0.5,lambda=1,models=auto,intercept=no")

  public static var parameters: [Field] {
    Field.number("scale", \.scale, in: 0...1e12, "gamma at the first decision, {range}")
    Field.number("exponent", \.exponent, in: 0...2, "exponent of the growth of gamma, {range}")
    Field.group(\.options)
  }

  public static let needsSpreads = false

  /// Returns γ after a number of rewards.
  func gamma(_ learned: Int) -> Double {
    let t = Double(learned + 1)
    return scale * (exponent == 0.5 ? t.squareRoot() : Double.pow(t, exponent))
  }

  public func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice {
    var best: Int?
    for variant in beliefs.room.indices where beliefs.table.roster.has(variant) {
      let mean = beliefs.models.means[variant]
      if mean.isFinite, mean > best.map({ beliefs.models.means[$0] }) ?? -.infinity {
        best = variant
      }
    }
    let there = Double(max(1, beliefs.table.roster.thereCount))
    guard let best else { return beliefs.table.roster.largest(&random) { _ in 0 } }
    let (top, gamma) = (beliefs.models.means[best], gamma(beliefs.table.learned))
    var rest = 1.0
    for variant in beliefs.room.indices {
      var share = 0.0
      if variant != best, beliefs.table.roster.has(variant) {
        share = 1 / (there + gamma * (top - beliefs.models.means[variant]))
        // A non-finite prediction ranks below all others.
        if !(share <= 1) { share = 0 }
      }
      beliefs.room[variant] = share
      rest -= share
    }
    beliefs.room[best] = max(rest, 0)
    return Choice(from: beliefs.room, &random)
  }
}
