public import Events
internal import Threads

/// Keeps events in memory: for tests, and for an app that writes them elsewhere later.
public final class MemorySink: EventSink {
  private struct Content {
    var events: [Event]
    /// Used again for each event, so that its buffers are allocated once.
    var record = EventRecord()
  }

  private let content: Monitor<Content>
  private let first: UInt64

  /// Makes a sink that holds the given events, none by default.
  ///
  /// - Parameters:
  ///   - events: What it holds.
  ///   - position: The position of its first event, for one that goes on where a log has ended.
  public init(_ events: [Event] = [], startingAt position: UInt64 = 0) {
    content = Monitor(Content(events: events))
    first = position
  }

  /// What was appended, in order.
  public var events: [Event] { content.withLock { $0.events } }

  /// Takes the whole batch, in order, or none of it.
  ///
  /// - Throws: `EventProblem` for an event that no log could give back.
  @discardableResult
  public func append(_ events: [Event]) throws -> Range<UInt64> {
    try content.withLock { content in
      for event in events { try content.record.load(event) }
      let start = first &+ UInt64(content.events.count)
      content.events += events
      return start..<max(start, start &+ UInt64(events.count))
    }
  }

  /// Returns at once: memory is as durable as it gets.
  public func flush() async {}
}
