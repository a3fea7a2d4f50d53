internal import Events

extension LogReader {
  /// Returns the number of events that a part of the units contributes to the counts of all parts together.
  ///
  /// Every part of a log that was split by unit has the events that concern everyone; only the first part counts them.
  ///
  /// - Parameter shard: The part of the units that the log has.
  /// - Returns: The number of its events, for other parts than the first without those of everyone.
  /// - Throws: ``LogError`` if a frame cannot be read.
  /// - Complexity: O(1) for the first part; O(events of frames with life-cycle events) for others.
  package func eventCount(in shard: UnitShard) throws -> UInt64 {
    guard shard.number > 1 else { return eventCount }
    let kinds = Set(EventKind.allCases.filter(\.isLifeCycle))
    guard !admittedFrames(where: FrameFilter(kinds: kinds)).isEmpty else { return eventCount }
    var everyone: UInt64 = 0
    try forEachEvent(matching: EventFilter(kinds: kinds, units: [""])) { _, _ in everyone += 1 }
    return eventCount - everyone
  }
}
