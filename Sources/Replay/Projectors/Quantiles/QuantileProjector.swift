/// What quantiles are taken of.
public enum QuantileMeasure: Int, Sendable, CaseIterable {
  /// What the conversions (or goals) of a unit are worth together; 0 for a unit without any.
  case unitValue = 0
  /// What one conversion (or goal) is worth.
  case signalValue = 1
  /// Seconds from the first exposure of a unit to its first conversion (or goal) that counts; units without any have none.
  case delay = 2
}

/// The values of the units of each variant, kept one by one, so that quantiles of them are exact.
///
/// Units, variants and what counts for them are those of ``ConversionProjector``. Values that are zero are only counted;
/// every other one takes 8 bytes, up to twice that while values come in: of `unitValue` and `delay` one for each unit with conversions,
/// of `signalValue` one for each conversion. So memory grows with conversions, and the state cannot be subtracted from.
public struct QuantileProjector: UnitProjector {
  /// What has been seen.
  public struct State: Sendable {
    var run: AssignmentRun
    /// By variant and value.
    var segments = SegmentTable(AssignmentCount())
    /// By place of the segment and measure; zeros of units without conversions are not in it.
    var values = SegmentTable([Double]())
    var ledger = ConversionLedger()
    /// The conversions of one unit, by its variants.
    var unit: [UnitValues] = []
    var sums = GoalSums()
  }

  /// What one unit did for one of its variants.
  struct UnitValues: Sendable {
    var sum = GoalSum()
    var first: Int64 = 0
  }

  /// Which exposures and conversions count. Its rule is of no account: it is always the first exposure.
  public var attribution: Attribution
  /// What is looked at.
  public var source: ConversionSource
  /// What of it values are taken from.
  public var measures: Set<QuantileMeasure>
  /// Codes of the goals that count; nil for all. What is not among them is not in the ledger either, but
  /// counts towards a limit.
  public var goals: Set<UInt32>?

  /// Values by an attribution, by default the revenue of units within 7 days of their first exposure.
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

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(run: AssignmentRun(context, attribution, source))
  }

  /// Keeps the values of a unit.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.load(history, &state.segments, &state.ledger)
    guard state.run.hasSignals else { return }
    count(history, &state.run, &state.values, &state.unit, &state.sums, &state.ledger)
  }

  private func count(
    _ history: Span<UnitEvent>, _ run: inout AssignmentRun, _ values: inout SegmentTable<[Double]>,
    _ unit: inout [UnitValues], _ sums: inout GoalSums, _ ledger: inout ConversionLedger
  ) {
    unit.removeAll(keepingCapacity: true)
    unit.append(contentsOf: repeatElement(UnitValues(), count: run.variants.count))
    run.forEachCounted(history, &ledger, only: goals) { number, variant, event in
      if unit[number].sum.count == 0 { unit[number].first = event.time }
      sums.add(event.number, to: &unit[number].sum)
      keep(event.number, .signalValue, variant, &values)
    }
    for (number, variant) in run.variants.enumerated() where unit[number].sum.count > 0 {
      keep(sums.value(of: unit[number].sum), .unitValue, variant, &values)
      let (delay, isOver) = unit[number].first.subtractingReportingOverflow(variant.since)
      keep(Double(isOver ? .max : delay) / 1e6, .delay, variant, &values)
    }
    sums.removeAll()
  }

  private func keep(
    _ value: Double, _ measure: QuantileMeasure, _ variant: AssignedVariant,
    _ values: inout SegmentTable<[Double]>
  ) {
    guard measures.contains(measure) else { return }
    let place = values.place(
      of: UInt32(truncatingIfNeeded: variant.segment), UInt32(truncatingIfNeeded: measure.rawValue))
    values.tallies[place].append(value)
  }

  /// Takes the values of other units.
  public func merge(_ other: State, into state: inout State) {
    state.segments.merge(other.segments, AssignmentCount.merge)
    for place in other.values.tallies.indices {
      let (segment, measure) = other.values.segment(at: place)
      let (variant, value) = other.segments.segment(at: Int(segment))
      let mine = UInt32(truncatingIfNeeded: state.segments.place(of: variant, value))
      state.values.tallies[state.values.place(of: mine, measure)] += other.values.tallies[place]
    }
    state.ledger.merge(other.ledger)
  }

  /// The values of every segment with an exposure, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> QuantileTallies {
    var result = QuantileTallies(ledger: state.ledger)
    let segments = VariantSegment.segments(state.segments, context)
    for (segment, count) in zip(segments, state.segments.tallies) {
      result.segments[segment, default: SegmentValues()].units += count.units
    }
    var kept: [QuantileMeasure: [VariantSegment: [Double]]] = [:]
    for (place, values) in state.values.tallies.enumerated() {
      let (segment, measure) = state.values.segment(at: place)
      guard let measure = QuantileMeasure(rawValue: Int(measure)) else { continue }
      kept[measure, default: [:]][segments[Int(segment)], default: []] += values
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
  /// Distinct units that belong to it.
  public var units = 0
  /// The values of each measure that was asked for.
  public var measures: [QuantileMeasure: ValueMultiset] = [:]
}

/// Values by segment, and the ledger.
public struct QuantileTallies: Sendable, Equatable {
  /// The values of each segment that had an exposure.
  public var segments: [VariantSegment: SegmentValues] = [:]
  /// What was read, and what of it did not count.
  public var ledger = ConversionLedger()
}
