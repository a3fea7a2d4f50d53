internal import Specifications
internal import Statistics

/// The sums of a variant that determine its mean and the uncertainty of the mean.
struct RegretTally: StateFields {
  /// Decisions that count in the mean: all, or those with a propensity.
  var weighed = 0
  /// The sum of the rewards, or of rewards divided by propensities.
  var rewards = ExactSum()
  /// The sum of 1/propensity; empty for plain means.
  var weights = ExactSum()
  /// The contribution of each unit to the numerator and denominator of the mean.
  var units = RatioMoments()
  /// Rewards that are neither 0 nor 1.
  var rewardsNotBinary = 0
  /// Decisions without a propensity.
  var withoutPropensity = 0
  /// The propensities of all decisions.
  var propensities = PropensitySums()

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&weighed, other.weighed)
    visit(&rewards, other.rewards)
    visit(&weights, other.weights)
    visit(&units, other.units)
    visit(&rewardsNotBinary, other.rewardsNotBinary)
    visit(&withoutPropensity, other.withoutPropensity)
    visit(&propensities, other.propensities)
  }
}

/// The sums over the units of a place.
struct RegretPlaceTally: StateFields {
  /// Units with weighed decisions for several variants.
  var sharedUnits = 0
  /// The number of weighed decisions of each unit.
  var decisions = Moments()

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&sharedUnits, other.sharedUnits)
    visit(&decisions, other.decisions)
  }
}
