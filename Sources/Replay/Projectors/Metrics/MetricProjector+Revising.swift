internal import EventLog

/// Metrics can be revised as long as only counts and moments are computed: kept values, bootstrap replicates, days and
/// probabilities are written, but cannot be subtracted.
extension MetricProjector: RevisableUnitProjector {
  /// Whether no metric uses conversions or visits, which belong to no experiment.
  public var isDividedByExperiments: Bool {
    !formulas.readsConversions && formulas.visits == nil
  }

  /// Adds what the new events change if they are exposures.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    guard isUnchangedByExposures, added.run.load(history, from: start) else {
      return replace(history.extracting(..<start), by: history, in: &added, &removed)
    }
    // No earlier event counts for a later exposure.
    add(history, measuring: history.extracting(..<0), to: &added)
  }

  /// Whether an exposure changes the metrics at its own place only, and not by the events before it.
  private var isUnchangedByExposures: Bool {
    formulas.decisions == nil && formulas.visits == nil && !formulas.readsConversions
      && covariatePeriod == nil && !readsProbabilities && !countsDays
  }
}
