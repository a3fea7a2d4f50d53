/// What the live systems write to: the log, or memory.
public protocol EventSink: Sendable {
  /// Takes the whole batch, in order, or throws and takes none of it.
  ///
  /// The events are durable only after a later `flush()` has returned. What is taken can be read back: an event
  /// that ``EventRecord/load(_:)`` refuses is refused.
  ///
  /// Several may append at once: each batch stands in one piece. A log that goes on counts on from where it was;
  /// snapshots of the live systems name positions, and what came after one is replayed.
  ///
  /// - Returns: The positions of the events in the log.
  /// - Throws: An error of the sink when an event cannot be stored.
  @discardableResult
  func append(_ events: [Event]) throws -> Range<UInt64>

  /// Returns when everything taken so far is durable.
  ///
  /// - Throws: An error of the sink when that cannot be had.
  func flush() async throws
}
