import EventLog
import Events

/// The time range covered by a log, for notes about requests outside of it, whose result is empty and
/// correct.
struct LogCoverage {
  private let log: LogReader
  private let range: (earliest: Timestamp, latest: Timestamp)?

  init(_ log: LogReader) {
    self.log = log
    if let earliest = log.earliest, let latest = log.latest {
      range = (earliest, latest)
    } else {
      range = nil
    }
  }

  var path: String { log.path }
  var isEmpty: Bool { log.eventCount == 0 }
  /// Whether it has any decision.
  var hasDecisions: Bool { log.frames.indices.contains { log.kinds(ofFrame: $0).contains(.decision) } }

  /// The time range and what is lost of it as text, for a message.
  var text: String {
    let lost = log.lostEventCount
    guard let range else {
      return lost > 0 ? "all \(lost) events of \(path) are lost" : "\(path) has no events"
    }
    return "\(path) has events from \(range.earliest) to \(range.latest)"
      + (lost > 0 ? ", of which \(lost) are lost" : "")
  }

  /// Prints a note about a log without events, or a time range without any of its events.
  ///
  /// - Returns: Whether a note was printed, so that an empty result is explained.
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

  /// Prints a note about an end of the data before the first event.
  ///
  /// - Returns: Whether a note was printed.
  func note(end: Timestamp?) -> Bool {
    guard let end, let range, end < range.earliest else { return false }
    Message.print("warning: --end \(end) is before the first event; \(text)")
    return true
  }
}
