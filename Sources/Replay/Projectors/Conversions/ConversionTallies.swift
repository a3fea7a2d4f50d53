public import Statistics

/// A variant of an experiment, and a value of the dimension by which results are broken down.
public struct VariantSegment: Hashable, Sendable {
  /// Code of the experiment.
  public var experiment: UInt32
  /// Code of the variant.
  public var variant: UInt32
  /// The value at the first exposure of its units; unknown when nothing is broken down.
  public var value: DimensionValue

  /// Makes a segment.
  public init(experiment: UInt32, variant: UInt32, value: DimensionValue = .unknown) {
    self.experiment = experiment
    self.variant = variant
    self.value = value
  }
}

/// What the units of a variant did for one goal.
public struct ConversionTally: Sendable, Equatable {
  /// Distinct units that belong to the variant.
  public var units = 0
  /// Those with at least one conversion that counts and takes none back.
  public var converters = 0
  /// Conversions that count.
  public var conversions = 0
  /// The sum of their revenue, exact and before anything is cut.
  public var total = ExactSum()
  /// The revenue of each unit of the variant, the sum of its conversions (0 without any) cut at ``cap``: count, mean,
  /// variance.
  public var perUnit = Moments()
  /// The revenue at which that of a unit is cut; nil where nothing is.
  public var cap: Double?
  /// How many units have been cut.
  public var cappedUnits = 0

  /// Nothing.
  public init() {}

  /// The revenue: of all conversions, or what is left of it when units are cut.
  public var revenue: Double { cap == nil ? total.value : perUnit.sum }

  /// Converters among units.
  public var rate: Proportion {
    Proportion(successes: min(converters, units), trials: units)
  }

  mutating func merge(_ other: ConversionTally) {
    converters += other.converters
    conversions += other.conversions
    total.merge(other.total)
    perUnit.merge(other.perUnit)
    cappedUnits += other.cappedUnits
  }
}

/// Conversions by segment and goal, and the ledger.
public struct ConversionTallies: Sendable, Equatable {
  /// The units of each segment that had an exposure.
  public var units: [VariantSegment: Int] = [:]
  /// The goals of the log: those of conversions under the key 0, those of goals under the code of their experiment.
  public var goals: [UInt32: Set<UInt32>] = [:]
  /// What was read, and what of it did not count.
  public var ledger = ConversionLedger()
  /// The tallies of segments and goals with a conversion that counts.
  var converted: [VariantSegment: [UInt32: ConversionTally]] = [:]
  /// The cap of the goals of an experiment, where there is one.
  var caps: [UInt32: [UInt32: Double]] = [:]

  /// The goals that can count for an experiment.
  public func goals(of experiment: UInt32) -> Set<UInt32> {
    (goals[0] ?? []).union(goals[experiment] ?? [])
  }

  /// What the units of a segment did for a goal, zeros where they did nothing.
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
