import EventLog
import Events

extension LogReader {
  /// Every event of the log, in order.
  func allEvents() throws -> [Event] {
    var events: [Event] = []
    try forEachEvent { record, _ in events.append(try Event(record)) }
    return events
  }
}
