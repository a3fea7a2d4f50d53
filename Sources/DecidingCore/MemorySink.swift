public import Events
internal import Threads

/// A sink that keeps events in memory: for tests, and for apps that store them elsewhere later.
public final class MemorySink: EventSink {
  private struct Content {
    var events: [Event]
    /// Reused for each event, so that its buffers are allocated once.
    var record = EventRecord()
  }

  private let content: Monitor<Content>
  private let first: UInt64

  /// Creates a sink that holds the given events, none by default.
  ///
  /// - Parameters:
  ///   - events: The initial events.
  ///   - position: The position of the first event, for a sink that continues an existing log.
  public init(_ events: [Event] = [], startingAt position: UInt64 = 0) {
    content = Monitor(Content(events: events))
    first = position
  }

  /// The events in the order in which they were appended.
  public var events: [Event] { content.withLock { $0.events } }

  /// Appends the whole batch, in order, or none of it.
  ///
  /// - Throws: `EventProblem` for an event that could not be read back from a log.
  @discardableResult
  public func append(_ events: [Event]) throws -> Range<UInt64> {
    try content.withLock { content in
      for event in events { try content.record.load(event) }
      let start = first &+ UInt64(content.events.count)
      content.events += events
      return start..<max(start, start &+ UInt64(events.count))
    }
  }

  /// Returns immediately.
  public func flush() async {}
}
