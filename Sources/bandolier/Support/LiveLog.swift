import DecidingCore
import EventLog
import Events
import Replay
import Statistics
import Tables

/// A log that a deciding system is used against: it is locked from the start to the end of the call, what the
/// system must know is replayed from it, and what the call appends is on disk before the answer is printed.
struct LiveLog {
  let writer: LogWriter
  let reader: LogReader
  /// When the call is made.
  let now: Timestamp
  private let options: LiveOptions

  init(_ options: LiveOptions) throws {
    self.options = options
    writer = try LogTarget.open(options.log)
    reader = try LogArgument.open(options.log)
    now = options.time ?? SystemTime().now
  }

  /// The world of the call: the time and the seed that were asked for, and the log.
  func surroundings(locale: UserLocale = .system) -> Surroundings {
    let time = FixedTime(now: now)
    guard let seed = options.seed else {
      return Surroundings(time: time, locale: locale, sink: writer)
    }
    // Draws and ids of one position never meet those of another.
    let position = writer.nextPosition
    var ids = Xoshiro256(seed: seed, stream: [1, position])
    return Surroundings(
      time: time, random: Xoshiro256(seed: seed, stream: [0, position]),
      ids: RandomIDs(seed: ids.next()), locale: locale, sink: writer)
  }

  /// The events of the unit, and those that concern everyone, in order.
  func eventsOfUnit() throws -> [Event] {
    try events(matching: EventFilter(units: [options.unit, ""]))
  }

  /// The events that the filter wants, in order.
  func events(matching filter: EventFilter) throws -> [Event] {
    var events: [Event] = []
    try reader.forEachEvent(matching: filter) { record, _ in events.append(try Event(record)) }
    return events
  }

  /// Notes an experiment that the log knew nothing of before the call.
  func noteUnknown(_ experiment: String) throws {
    let names = try LogNames(reader, [.experiments])
    guard names.code(of: experiment, in: .experiments) == nil else { return }
    Message.print(
      "warning: "
        + UnknownName.message(experiment, in: .experiments, of: names, path: reader.path))
  }

  /// Waits until everything is on disk, and prints the answer as one line of JSON.
  func answer(_ json: JSONValue) throws {
    try writer.commit()
    try StandardOutput().append(Array((json.description + "\n").utf8))
  }
}

/// A clock that stands still.
private struct FixedTime: TimeSource {
  let now: Timestamp

  func sleep(for duration: Duration) async throws {}
}
