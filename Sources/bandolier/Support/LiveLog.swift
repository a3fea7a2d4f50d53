import DecidingCore
import EventLog
import Events
import Replay
import Statistics
import Tables

/// A log used by a deciding system during one call: it is locked for the whole call, the state that the
/// system needs is rebuilt from it, and the events of the call are on disk before the answer is printed.
struct LiveLog {
  let writer: LogWriter
  let reader: LogReader
  /// The time of the call.
  let now: Timestamp
  private let options: LiveOptions

  init(_ options: LiveOptions) throws {
    self.options = options
    writer = try LogTarget.open(options.log)
    reader = try LogArgument.open(options.log)
    now = options.time ?? SystemTime().now
  }

  /// Returns the surroundings of the call: the given time and seed, and the log.
  func surroundings(locale: UserLocale = .system) -> Surroundings {
    let time = FixedTime(now: now)
    guard let seed = options.seed else {
      return Surroundings(time: time, locale: locale, sink: writer)
    }
    // Draws and ids of different positions have different seeds.
    let position = writer.nextPosition
    var ids = Xoshiro256(seed: seed, stream: [1, position])
    return Surroundings(
      time: time, random: Xoshiro256(seed: seed, stream: [0, position]),
      ids: RandomIDs(seed: ids.next()), locale: locale, sink: writer)
  }

  /// Returns the events of the unit, and those for everyone, in order.
  func eventsOfUnit() throws -> [Event] {
    try events(matching: EventFilter(units: [options.unit, ""]))
  }

  /// Returns the events that match the filter, in order.
  func events(matching filter: EventFilter) throws -> [Event] {
    var events: [Event] = []
    try reader.forEachEvent(matching: filter) { record, _ in events.append(try Event(record)) }
    return events
  }

  /// Prints a note about an experiment that was not in the log before the call.
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

/// A clock with a fixed time.
private struct FixedTime: TimeSource {
  let now: Timestamp

  func sleep(for duration: Duration) async throws {}
}
