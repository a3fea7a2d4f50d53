internal import Specifications

/// The units whose first exposure at a point and slot was to an arm, with the logged propensities of those exposures.
public struct FirstExposures: Sendable, Equatable {
  /// Units whose first exposure was to the arm.
  public var units = 0
  /// Units among them whose first exposure has no propensity.
  public var unitsWithoutPropensity = 0
  /// Units among them that were later exposed to another variant at the point and slot.
  public var crossedUnits = 0
  /// The sums of the propensities of the units that have one.
  public var propensities = PropensitySums()

  /// Creates an empty value.
  public init() {}

  mutating func add(_ propensity: Double?, isCrossed: Bool) {
    units += 1
    if isCrossed { crossedUnits += 1 }
    if let propensity, !propensity.isNaN {
      propensities.add(propensity)
    } else {
      unitsWithoutPropensity += 1
    }
  }

  /// Adds other units.
  package mutating func merge(_ other: FirstExposures) {
    units += other.units
    unitsWithoutPropensity += other.unitsWithoutPropensity
    crossedUnits += other.crossedUnits
    propensities.merge(other.propensities)
  }

  mutating func subtract(_ other: FirstExposures) {
    units -= other.units
    unitsWithoutPropensity -= other.unitsWithoutPropensity
    crossedUnits -= other.crossedUnits
    propensities.subtract(other.propensities)
  }

  func write(to writer: inout StateWriter) {
    writer.write(tally: units)
    writer.write(tally: unitsWithoutPropensity)
    writer.write(tally: crossedUnits)
    propensities.write(to: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    units = try reader.readTally()
    unitsWithoutPropensity = try reader.readTally()
    crossedUnits = try reader.readTally()
    propensities = try PropensitySums(from: &reader)
  }
}
