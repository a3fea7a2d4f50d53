import EventLog
import Events

/// Says when what a user asked for lies outside of what a log covers. The answer is empty then, and right.
struct LogCoverage {
  let path: String
  let isEmpty: Bool
  private let range: (earliest: Timestamp, latest: Timestamp)?

  init(_ log: LogReader) {
    path = log.path
    isEmpty = log.eventCount == 0
    if let earliest = log.earliest, let latest = log.latest {
      range = (earliest, latest)
    } else {
      range = nil
    }
  }

  /// The times of the log, for a message.
  var text: String {
    guard let range else { return "\(path) has no events" }
    return "\(path) has events from \(range.earliest) to \(range.latest)"
  }

  /// Notes a log without events, or a range of times that has none of its events.
  ///
  /// - Returns: Whether something was noted, so that an empty answer is explained.
  func note(since: Timestamp?, until: Timestamp?) -> Bool {
    guard let range else {
      Message.print("note: \(text)")
      return true
    }
    if let since, since > range.latest {
      Message.print("warning: --since \(since) is after the last event; \(text)")
      return true
    }
    if let until, until <= range.earliest {
      Message.print("warning: --until \(until) is not after the first event; \(text)")
      return true
    }
    return false
  }

  /// Notes an end of the data before the first event.
  ///
  /// - Returns: Whether something was noted.
  func note(end: Timestamp?) -> Bool {
    guard let end, let range, end < range.earliest else { return false }
    Message.print("warning: --end \(end) is before the first event; \(text)")
    return true
  }
}
