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

  /// Makes a sink that holds the given events, none by default.
  public init(_ events: [Event] = []) {
    content = Monitor(Content(events: events))
  }

  /// What was appended, in order.
  public var events: [Event] { content.withLock { $0.events } }

  /// Takes the whole batch, in order, or none of it.
  ///
  /// - Throws: ``EventProblem`` for an event that no log could give back.
  public func append(_ events: [Event]) throws {
    try content.withLock { content in
      for event in events { try content.record.load(event) }
      content.events += events
    }
  }

  /// Returns at once: memory is as durable as it gets.
  public func flush() async {}
}
