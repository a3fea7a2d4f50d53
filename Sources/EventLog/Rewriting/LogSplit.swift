internal import Events

/// Parts a log by unit: every event of a unit goes to the same shard, in the order of the log.
///
/// The shard of a unit is the 64-bit FNV-1a hash of its name's UTF-8 bytes, finished by the mixing of
/// SplitMix64, modulo the number of shards: the same in every log, on every machine. Life-cycle events that
/// concern everyone (their unit is empty) go to every shard.
public struct LogSplit: Hashable, Sendable {
  /// How many shards there are.
  public let shardCount: Int

  /// The number of shards that a log may be parted into: each holds two files open.
  public static let shardCounts = 1...256

  /// A split into some number of shards; what lies outside ``shardCounts`` is brought to its nearest end.
  public init(shardCount: Int) {
    self.shardCount = min(
      max(shardCount, Self.shardCounts.lowerBound), Self.shardCounts.upperBound)
  }

  /// The shard, counted from 0, of a unit that is not empty.
  ///
  /// - Complexity: O(length of the name).
  public func shard(of unit: ArraySlice<UInt8>) -> Int {
    Int(StableHash.of(unit) % UInt64(shardCount))
  }

  /// A seed for the log of a shard, so that the same log gives the same bytes: made from its id, from how
  /// many events it has, and from the shard.
  public func seed(of shard: Int, of log: LogReader) -> UInt64 {
    let text = "split \(log.id?.description ?? "") \(log.eventCount) \(shard)/\(shardCount)"
    return StableHash.of(Array(text.utf8)[...])
  }

  /// Appends each event of a log to the log of its shard, and commits them at the end; those that ``LogFilling``
  /// began are finished then.
  ///
  /// - Parameters:
  ///   - log: The log that is parted.
  ///   - writers: As many as there are shards; what belongs to a shard without one, or with nil, is not written.
  ///   - progress: Called every few thousand events with how many are done.
  /// - Throws: ``LogError`` when a log cannot be read or written, and what `progress` throws.
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
