public import Specifications
public import Statistics

/// A variant of an experiment, and a value of the dimension of a breakdown.
public struct VariantSegment: Hashable, Sendable {
  /// The code of the experiment.
  public var experiment: UInt32
  /// The code of the variant.
  public var variant: UInt32
  /// The value at the first exposure of its units; unknown without a breakdown.
  public var value: DimensionValue

  /// Creates a segment.
  public init(experiment: UInt32, variant: UInt32, value: DimensionValue = .unknown) {
    self.experiment = experiment
    self.variant = variant
    self.value = value
  }
}

/// The conversions of the units of a variant for one goal.
public struct ConversionTally: Sendable, Equatable {
  /// Distinct units assigned to the variant.
  public var units = 0
  /// Units with at least one counted conversion that is not negative.
  public var converters = 0
  /// Counted conversions.
  public var conversions = 0
  /// The exact sum of their revenue, before capping.
  public var total = ExactSum()
  /// The revenue per unit of the variant, the sum of the unit's conversions (0 without any) capped at ``cap``: count,
  /// mean and variance.
  public var perUnit = Moments()
  /// The cap on the revenue of a unit; nil without a cap.
  public var cap: Double?
  /// The number of capped units.
  public var cappedUnits = 0

  /// Creates a tally of zeros.
  public init() {}

  /// The total revenue of all conversions, after capping if there is a cap.
  public var revenue: Double { cap == nil ? total.value : perUnit.sum }

  /// The proportion of units that are converters.
  public var rate: Proportion {
    Proportion(successes: min(converters, units), trials: units)
  }
}

/// The fields of a goal: the number of units and the cap are those of the segment and the experiment.
extension ConversionTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&converters, other.converters)
    visit(&conversions, other.conversions)
    visit(&total, other.total)
    visit(&perUnit, other.perUnit)
    visit(&cappedUnits, other.cappedUnits)
  }
}

/// The conversions by segment and goal, and the ledger.
public struct ConversionTallies: Sendable, Equatable {
  /// The kind of events that are counted.
  public var source = ConversionSource.conversions
  /// The number of units of each segment with an exposure.
  public var units: [VariantSegment: Int] = [:]
  /// The goals of the log: those of conversions under the key 0, those of goals under the code of their experiment.
  public var goals: [UInt32: Set<UInt32>] = [:]
  /// The counts of what was read and what was excluded.
  public var ledger = ConversionLedger()
  /// The tallies of segments and goals with a counted conversion.
  var converted: [VariantSegment: [UInt32: ConversionTally]] = [:]
  /// The caps by experiment and goal, where there is one.
  var caps: [UInt32: [UInt32: Double]] = [:]

  /// Returns the goals that can count in an experiment.
  public func goals(of experiment: UInt32) -> Set<UInt32> {
    goals[source == .conversions ? 0 : experiment] ?? []
  }

  /// Returns the codes of the experiments in which no conversion counts, and which have goals instead: of all codes, or
  /// of the only one that is asked for.
  public func experimentsWithGoalsOnly(_ goal: UInt32? = nil) -> Set<UInt32> {
    guard source == .conversions else { return [] }
    let isAsked = { (code: UInt32) in goal == nil || goal == code }
    let converted = converted.filter { $0.value.contains { isAsked($0) && $1.conversions > 0 } }
    return Set(units.keys.map(\.experiment)).subtracting(converted.keys.map(\.experiment)).filter {
      goals[$0]?.contains(where: isAsked) ?? false
    }
  }

  /// Returns the conversions of a segment for a goal, zeros if there are none.
  public func tally(_ segment: VariantSegment, goal: UInt32) -> ConversionTally {
    var tally = converted[segment]?[goal] ?? ConversionTally()
    tally.units = units[segment] ?? 0
    tally.cap = caps[segment.experiment]?[goal]
    let others = max(0, tally.units - tally.perUnit.count)
    let value = min(0, tally.cap ?? 0)
    tally.perUnit.add(value, times: others)
    if value < 0 { tally.cappedUnits += others }
    return tally
  }
}
