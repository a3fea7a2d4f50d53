internal import Statistics

/// The sums of a variant that determine its mean and the uncertainty of the mean.
struct RegretTally: Sendable {
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

  mutating func merge(_ other: RegretTally) {
    weighed += other.weighed
    rewards.merge(other.rewards)
    weights.merge(other.weights)
    units.merge(other.units)
    rewardsNotBinary += other.rewardsNotBinary
    withoutPropensity += other.withoutPropensity
    propensities.merge(other.propensities)
  }
}

/// The sums over the units of a place.
struct RegretPlaceTally: Sendable {
  /// Units with weighed decisions for several variants.
  var sharedUnits = 0
  /// The number of weighed decisions of each unit.
  var decisions = Moments()

  mutating func merge(_ other: RegretPlaceTally) {
    sharedUnits += other.sharedUnits
    decisions.merge(other.decisions)
  }
}
