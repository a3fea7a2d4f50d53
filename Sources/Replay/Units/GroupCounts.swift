internal import Statistics

// The memory that projectors use for each group, so that a memory limit can bound it.

extension SegmentTable {
  /// The bytes of a segment: its tally, and its key with its entries in the index.
  static var bytesPerSegment: Int { MemoryLayout<Tally>.stride + 24 }
}

/// A projector whose state grows with units or decisions and not with groups.
package protocol UngroupedProjector: UnitProjector {}

extension UngroupedProjector {
  /// 0: the state does not grow with groups.
  package var bytesPerGroup: Int { 0 }

  /// Returns 0.
  package func groupCount(of state: State) -> Int { 0 }
}

extension AssignedTable {
  /// The bytes of a tally, and of the segment that it may be the only one of.
  static var bytesPerTally: Int {
    SegmentTable<AssignmentCount>.bytesPerSegment + SegmentTable<Tally>.bytesPerSegment
  }

  /// The number of tallies, or of segments if most of these have none.
  var mostTallies: Int { max(segments.count, tallies.count) }
}

extension RewardProjector {
  public var bytesPerGroup: Int { SegmentTable<RewardTally>.bytesPerSegment }

  public func groupCount(of state: State) -> Int { state.table.count }
}

extension MetricProjector {
  public var bytesPerGroup: Int {
    let replicates = (bootstrap?.replicates ?? 0) * 40
    return metrics.reduce(SegmentTable<MetricTallyList>.bytesPerSegment + 32) { sum, metric in
      let isPaired = metric.denominator != nil || covariatePeriod != nil
      return sum + MemoryLayout<MetricTally>.stride + replicates
        + (isPaired ? MemoryLayout<RatioMoments?>.stride + 32 : 0)
    }
  }

  /// The bytes of the report rows of a group: one row of 40 cells for each metric.
  public var bytesPerRow: Int { metrics.count * 40 * 16 }

  public func groupCount(of state: State) -> Int { state.table.count }
}

extension SeriesProjector {
  /// The bytes per period of a group.
  public var bytesPerGroup: Int {
    SegmentTable<PeriodTable>.bytesPerSegment + MemoryLayout<SeriesTally>.stride
  }

  /// Returns the number of periods of groups that have a tally.
  public func groupCount(of state: State) -> Int {
    state.table.tallies.reduce(0) { $0 + max(1, $1.tallies.count) }
  }
}

extension VisitProjector {
  public var bytesPerGroup: Int { SegmentTable<VisitTally>.bytesPerSegment }

  public func groupCount(of state: State) -> Int { state.assigned.table.count }
}

extension ConversionProjector {
  /// The bytes per goal of a group.
  public var bytesPerGroup: Int { AssignedTable<GoalTally>.bytesPerTally }

  /// Returns the number of goals of groups that have a tally.
  public func groupCount(of state: State) -> Int { state.goals.mostTallies }
}

extension HealthProjector {
  public var bytesPerGroup: Int {
    SegmentTable<ExposureTally>.bytesPerSegment + SegmentTable<ExperimentLedger>.bytesPerSegment
  }

  public func groupCount(of state: State) -> Int { state.run.exposures.count }
}

extension FunnelProjector {
  public var bytesPerGroup: Int {
    SegmentTable<FunnelTally>.bytesPerSegment + 32 + 16 * steps.count
  }

  public func groupCount(of state: State) -> Int { state.table.count }
}

extension RetentionProjector {
  public var bytesPerGroup: Int {
    SegmentTable<[RetentionTally]>.bytesPerSegment + 32
      + days.count * MemoryLayout<RetentionTally>.stride
  }

  public func groupCount(of state: State) -> Int { state.table.count }
}

extension QuantileProjector {
  /// The bytes per measure of a group, without its values.
  public var bytesPerGroup: Int { AssignedTable<KeptValues>.bytesPerTally }

  /// Returns the number of measures of groups that have values.
  public func groupCount(of state: State) -> Int { state.values.mostTallies }
}

extension RegretSurvey {
  /// The bytes of a group, without the ranges of its order.
  var bytesPerGroup: Int {
    SegmentTable<RegretTally>.bytesPerSegment + SegmentTable<OrderHistogram>.bytesPerSegment
  }

  func groupCount(of state: State) -> Int { state.tallies.count }
}
