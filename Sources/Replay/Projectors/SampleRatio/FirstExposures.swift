public import Specifications

/// The units whose first exposure at a point and slot was to an arm, with the logged propensities of those exposures.
public struct FirstExposures: StateFields, Equatable {
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

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&unitsWithoutPropensity, other.unitsWithoutPropensity)
    visit(&crossedUnits, other.crossedUnits)
    visit(&propensities, other.propensities)
  }

  public var isOmitted: Bool { units <= 0 }
}
