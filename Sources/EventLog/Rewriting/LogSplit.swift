internal import Events

/// Splits a log into shards by unit: every event of a unit goes to the same shard, in the order of the log.
///
/// The shard of a unit is that of ``UnitShard``: the same in every log, on every machine. Life-cycle events that concern everyone
/// (their unit is empty) go to every shard.
public struct LogSplit: Hashable, Sendable {
  /// The number of shards.
  public let shardCount: Int

  /// The valid numbers of shards.
  public static let shardCounts = UnitShard.counts

  /// Creates a split into a number of shards, clamped to ``shardCounts``.
  public init(shardCount: Int) {
    self.shardCount = min(
      max(shardCount, Self.shardCounts.lowerBound), Self.shardCounts.upperBound)
  }

  /// Returns the shard, counted from 0, of a unit with a name.
  ///
  /// - Complexity: O(length of the name).
  public func shard(of unit: ArraySlice<UInt8>) -> Int {
    UnitShard.index(of: unit, among: shardCount)
  }

  /// Returns a seed for the log of a shard, so that the same log gives the same bytes: derived from its id, its number
  /// of events, and the shard.
  public func seed(of shard: Int, of log: LogReader) -> UInt64 {
    let text = "split \(log.id?.description ?? "") \(log.eventCount) \(shard)/\(shardCount)"
    return StableHash.of(Array(text.utf8)[...])
  }

  /// Appends each event of a log to the log of its shard, and commits them at the end; those that ``LogFilling`` began
  /// are finished then.
  ///
  /// - Parameters:
  ///   - log: The log to split.
  ///   - writers: One for each shard; events of a shard without a writer, or with nil, are not written.
  ///   - progress: Called every few thousand events with the number processed.
  /// - Throws: ``LogError`` if a log cannot be read or written, and errors of `progress`.
  /// - Complexity: O(number of events); memory for one frame of each shard and for all names of the log.
  public func write(
    _ log: LogReader, to writers: [LogWriter?], progress: (UInt64) throws -> Void = { _ in }
  ) throws {
    try log.forEachEvent { record, position in
      let unit = record.bytes[record[.unit].range]
      if unit.isEmpty {
        for writer in writers { try writer?.append(parsed: record) }
      } else {
        let shard = shard(of: unit)
        if writers.indices.contains(shard) { try writers[shard]?.append(parsed: record) }
      }
      if position % 4_096 == 0 { try progress(position) }
    }
    for writer in writers { try writer?.commit() }
    try LogFilling.finish(writers.compactMap { $0 })
  }
}
