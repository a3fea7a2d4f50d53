public import Specifications

/// The quantity that quantiles are taken of.
public enum QuantileMeasure: Int, Sendable, CaseIterable {
  /// The total value of the conversions (or goals) of a unit; 0 for a unit without any.
  case unitValue = 0
  /// The value of one conversion (or goal).
  case signalValue = 1
  /// Seconds from the first exposure of a unit to its first counted conversion that is not negative (or goal); units
  /// without any are not included.
  case delay = 2
}

/// Collects the values of the units of each variant one by one, for exact quantiles.
///
/// Units, variants and what counts for them are those of ``ConversionProjector``. Zeros are only counted; every other
/// value takes 8 bytes, up to twice that while values are added: for `unitValue` and `delay` one for each unit with
/// conversions, for `signalValue` one for each conversion. Memory therefore grows with conversions, and a state cannot
/// be subtracted.
public struct QuantileProjector: UnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var run: AssignedVariants
    /// By variant, value of the dimension and measure; without the zeros of units without conversions.
    var values = AssignedTable(KeptValues(), .below(QuantileMeasure.allCases.count))
    /// The conversions of the current unit, by its variants.
    var unit: [UnitValues] = []
    var sums = GoalSums()

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&values, other.values)
      visit(&run, other.run)
    }
  }

  /// The values of one measure.
  struct KeptValues: StateFields {
    var list: [Double] = []
    /// How many of them are of a unit that had one before.
    var repeated = 0

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&repeated, other.repeated)
      visit.values(&list, other.list)
    }

    var isOmitted: Bool { list.isEmpty }
  }

  /// The values of one unit for one of its variants.
  struct UnitValues: Sendable {
    var sum = GoalSum()
    /// The time of the first one that makes the unit a converter.
    var converted: Int64?
  }

  /// Which exposures and conversions count. Its rule is ignored: the first exposure is always credited.
  public var attribution: Attribution
  /// The kind of event that is counted.
  public var source: ConversionSource
  /// The quantities to collect.
  public var measures: Set<QuantileMeasure>
  /// The codes of the goals that count; nil for all. Other goals are not in the ledger either, but count towards a
  /// limit.
  public var goals: Set<UInt32>?

  /// Creates a projector, by default of the revenue of units within 7 days of their first exposure.
  public init(
    _ attribution: Attribution = ConversionProjector.standardAttribution,
    of source: ConversionSource = .conversions, measures: Set<QuantileMeasure> = [.unitValue],
    goals: Set<UInt32>? = nil
  ) {
    self.attribution = attribution
    self.source = source
    self.measures = measures
    self.goals = goals
  }

  /// Decisions, and conversions or goals.
  public var needs: UnitNeeds { source.needs }

  public func makeState(_ context: UnitContext) -> State {
    State(run: AssignedVariants(context, attribution, source))
  }

  /// Adds the values of a unit.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.load(history, &state.values.segments)
    guard state.run.hasSignals else { return }
    state.unit.removeAll(keepingCapacity: true)
    state.unit.append(contentsOf: repeatElement(UnitValues(), count: state.run.variants.count))
    state.run.forEachCounted(history, only: goals) { number, variant, event in
      let isFirst = state.unit[number].sum.count == 0
      if state.unit[number].converted == nil, event.isConverting {
        state.unit[number].converted = event.time
      }
      state.sums.add(event.number, to: &state.unit[number].sum)
      keep(event.number, .signalValue, variant, &state.values.tallies, isRepeated: !isFirst)
    }
    for (variant, unit) in zip(state.run.variants, state.unit) where unit.sum.count > 0 {
      keep(state.sums.value(of: unit.sum), .unitValue, variant, &state.values.tallies)
      guard let converted = unit.converted else { continue }
      let (delay, isOver) = converted.subtractingReportingOverflow(variant.since)
      keep(Double(isOver ? .max : delay) / 1e6, .delay, variant, &state.values.tallies)
    }
    state.sums.removeAll()
  }

  private func keep(
    _ value: Double, _ measure: QuantileMeasure, _ variant: AssignedVariant,
    _ values: inout SegmentTable<KeptValues>, isRepeated: Bool = false
  ) {
    guard measures.contains(measure) else { return }
    let place = values.place(
      of: UInt32(truncatingIfNeeded: variant.segment), UInt32(truncatingIfNeeded: measure.rawValue))
    values.tallies[place].list.append(value)
    if isRepeated { values.tallies[place].repeated += 1 }
  }

  /// Returns the values of every segment with an exposure, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> QuantileTallies {
    var result = QuantileTallies(ledger: state.run.ledger)
    let segments = VariantSegment.segments(state.values.segments, context)
    for (segment, count) in zip(segments, state.values.segments.tallies) {
      result.segments[segment, default: SegmentValues()].units += count.units
    }
    var kept: [QuantileMeasure: [VariantSegment: [Double]]] = [:]
    for (place, values) in state.values.tallies.tallies.enumerated() {
      let (segment, measure) = state.values.tallies.segment(at: place)
      guard let measure = QuantileMeasure(rawValue: Int(measure)) else { continue }
      kept[measure, default: [:]][segments[Int(segment)], default: []] += values.list
      result.segments[segments[Int(segment)]]?.repeated += values.repeated
    }
    for (segment, values) in result.segments {
      for measure in measures {
        let others = kept[measure]?[segment] ?? []
        result.segments[segment]?.measures[measure] = ValueMultiset(
          others, zeros: measure == .unitValue ? values.units - others.count : 0)
      }
    }
    return result
  }
}

/// The values of the units of a segment.
public struct SegmentValues: Sendable, Equatable {
  /// Distinct units assigned to the segment.
  public var units = 0
  /// How many values of conversions (or goals) are of a unit that had one before, and so depend on it.
  public var repeated = 0
  /// The values of each requested measure.
  public var measures: [QuantileMeasure: ValueMultiset] = [:]
}

/// Values by segment, and the ledger.
public struct QuantileTallies: Sendable, Equatable {
  /// The values of each segment with an exposure.
  public var segments: [VariantSegment: SegmentValues] = [:]
  /// The counts of what was read and what was excluded.
  public var ledger = ConversionLedger()
}
