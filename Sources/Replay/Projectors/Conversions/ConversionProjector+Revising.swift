internal import EventLog

/// Conversions can be revised unless they are capped at a percentile: in that case every unit's revenue is kept, and
/// each one to subtract would have to be searched for.
extension ConversionProjector: RevisableUnitProjector {
  /// Adds what the new events change if they are exposures of a unit without conversions.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    if added.run.load(history, from: start, &added.goals.segments) {
      return count(history.extracting(start...), in: &added)
    }
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }
}
