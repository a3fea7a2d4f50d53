/// The destination of the events of the live systems: the log, or memory.
public protocol EventSink: Sendable {
  /// Appends the whole batch, in order, or throws and appends none of it.
  ///
  /// The events are durable only after a later `flush()` has returned. Appended events can be read back: an event that
  /// ``EventRecord/load(_:)`` refuses is refused.
  ///
  /// Concurrent appends are allowed: each batch stays contiguous. A reopened log continues its positions; snapshots of
  /// the live systems refer to positions, and events after one are replayed.
  ///
  /// - Returns: The positions of the events in the log.
  /// - Throws: An error of the sink if an event cannot be stored.
  @discardableResult
  func append(_ events: [Event]) throws -> Range<UInt64>

  /// Returns once everything appended so far is durable.
  ///
  /// - Throws: An error of the sink if that fails.
  func flush() async throws
}
