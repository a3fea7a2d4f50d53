internal import Statistics

/// What is summed up of a variant for its mean and how sure that is.
struct RegretTally: Sendable {
  /// Decisions that count in the mean: all, or those with a propensity.
  var weighed = 0
  /// The sum of the rewards, or of rewards over propensities.
  var rewards = ExactSum()
  /// The sum of 1/propensity; nothing for plain means.
  var weights = ExactSum()
  /// Of each unit what it adds to the mean, above and below the line.
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

/// What is summed up of the units of a place.
struct RegretPlaceTally: Sendable {
  /// Units with a weighed decision of several variants.
  var sharedUnits = 0
  /// The weighed decisions of each unit.
  var decisions = Moments()

  mutating func merge(_ other: RegretPlaceTally) {
    sharedUnits += other.sharedUnits
    decisions.merge(other.decisions)
  }
}
