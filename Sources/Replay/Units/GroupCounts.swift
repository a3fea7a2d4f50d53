internal import Statistics

// What projectors keep for each group, so that a memory limit can bound it.

extension SegmentTable {
  /// What a segment takes: its tally, and its key with its places in the index.
  static var bytesPerSegment: Int { MemoryLayout<Tally>.stride + 24 }
}

extension RewardProjector {
  /// What a group takes in bytes.
  public var bytesPerGroup: Int { SegmentTable<RewardTally>.bytesPerSegment }

  /// How many groups have a tally.
  public func groupCount(of state: State) -> Int { state.table.count }
}

extension MetricProjector {
  /// What a group takes in bytes.
  public var bytesPerGroup: Int {
    let replicates = (bootstrap?.replicates ?? 0) * 40
    return metrics.reduce(SegmentTable<MetricTallyList>.bytesPerSegment + 32) { sum, metric in
      let isPaired = metric.denominator != nil || covariatePeriod != nil
      return sum + MemoryLayout<MetricTally>.stride + replicates
        + (isPaired ? MemoryLayout<RatioMoments?>.stride + 32 : 0)
    }
  }

  /// What the rows of a group take in bytes: one of 40 cells for each metric.
  public var bytesPerRow: Int { metrics.count * 40 * 16 }

  /// How many groups have a tally.
  public func groupCount(of state: State) -> Int { state.table.count }
}

extension SeriesProjector {
  /// What a period of a group takes in bytes.
  public var bytesPerGroup: Int {
    SegmentTable<PeriodTable>.bytesPerSegment + MemoryLayout<SeriesTally>.stride
  }

  /// How many periods of groups have a tally.
  public func groupCount(of state: State) -> Int {
    state.table.tallies.reduce(0) { $0 + max(1, $1.tallies.count) }
  }
}

extension VisitProjector {
  /// What a group takes in bytes.
  public var bytesPerGroup: Int { SegmentTable<VisitTally>.bytesPerSegment }

  /// How many groups have a tally.
  public func groupCount(of state: State) -> Int { state.table.count }
}

extension ConversionProjector {
  /// What a goal of a group takes in bytes.
  public var bytesPerGroup: Int {
    SegmentTable<AssignmentCount>.bytesPerSegment + SegmentTable<GoalTally>.bytesPerSegment
  }

  /// How many goals of groups have a tally.
  public func groupCount(of state: State) -> Int { max(state.segments.count, state.goals.count) }
}

extension HealthProjector {
  /// What a group takes in bytes.
  public var bytesPerGroup: Int {
    SegmentTable<ExposureTally>.bytesPerSegment + SegmentTable<ExperimentLedger>.bytesPerSegment
  }

  /// How many groups have a tally.
  public func groupCount(of state: State) -> Int { state.exposures.count }
}

extension FunnelProjector {
  /// What a group takes in bytes.
  public var bytesPerGroup: Int {
    SegmentTable<FunnelTally>.bytesPerSegment + 32 + 16 * steps.count
  }

  /// How many groups have a tally.
  public func groupCount(of state: State) -> Int { state.table.count }
}
