public import Events
internal import Threads

/// Keeps events in memory: for tests, and for an app that writes them elsewhere later.
public final class MemorySink: EventSink {
  private let content: Monitor<[Event]>
  private let first: UInt64

  /// Makes a sink that holds the given events, none by default.
  ///
  /// - Parameters:
  ///   - events: What it holds.
  ///   - position: The position of its first event, for one that goes on where a log has ended.
  public init(_ events: [Event] = [], startingAt position: UInt64 = 0) {
    content = Monitor(events)
    first = position
  }

  /// What was appended, in order.
  public var events: [Event] { content.withLock { $0 } }

  /// Takes the whole batch, in order.
  @discardableResult
  public func append(_ events: [Event]) -> Range<UInt64> {
    content.withLock { content in
      let start = first &+ UInt64(content.count)
      content += events
      return start..<max(start, start &+ UInt64(events.count))
    }
  }

  /// Returns at once: memory is as durable as it gets.
  public func flush() async {}
}
