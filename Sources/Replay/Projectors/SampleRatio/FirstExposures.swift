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

  /// Adds the first exposure of a unit.
  mutating func add(_ assignment: AssignedUnits.Assignment, of history: Span<UnitEvent>) {
    units += 1
    if assignment.isCrossed { crossedUnits += 1 }
    let exposure = history[assignment.index]
    if exposure.hasNumber, !exposure.number.isNaN {
      propensities.add(exposure.number)
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
