public import Events
internal import Threads

/// Keeps events in memory: for tests, and for an app that writes them elsewhere later.
public final class MemorySink: EventSink {
  private let content: Monitor<[Event]>

  /// Makes a sink that holds the given events, none by default.
  public init(_ events: [Event] = []) {
    content = Monitor(events)
  }

  /// What was appended, in order.
  public var events: [Event] { content.withLock { $0 } }

  /// Takes the whole batch, in order.
  public func append(_ events: [Event]) {
    content.withLock { $0 += events }
  }

  /// Returns at once: memory is as durable as it gets.
  public func flush() async {}
}
