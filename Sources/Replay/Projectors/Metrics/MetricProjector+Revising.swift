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
    if isUnchangedByExposures,
      let known = added.run.extend(history, from: start, &added.ledger)
    {
      added.run.addExposures(of: history, from: known, to: &added.exposures)
      added.run.assign(from: known, &added.ledger)
      // No earlier event counts for a later exposure.
      added.run.measure(history.extracting(..<0), &added.ledger)
      added.run.tally(unit: added.hashes[history[0].unit], into: &added.table)
      return added.run.end()
    }
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }

  /// Whether an exposure changes the metrics at its own place only, and not by the events before it.
  private var isUnchangedByExposures: Bool {
    formulas.decisions == nil && formulas.visits == nil && !formulas.readsConversions
      && covariatePeriod == nil && !readsProbabilities && !countsDays
  }
}
