import EventLog
import Events

/// Writes synthetic journeys to a log, in steps of any size.
struct JourneyLog {
  private let writer: LogWriter
  private var events: JourneyEvents
  /// Reused for every thousand events.
  private var records = Array(repeating: EventRecord(), count: 1_024)

  /// Creates a new log for the events.
  init(_ path: String, _ events: JourneyEvents, seed: UInt64, profile: CompressionProfile) throws {
    writer = try LogWriter(path, options: LogOptions(profile: profile, seed: seed))
    self.events = events
  }

  /// Appends the next events durably.
  mutating func append(_ count: Int) throws {
    var left = count
    while left >= records.count {
      for index in records.indices { events.next(&records[index]) }
      try writer.append(contentsOfParsed: records)
      left -= records.count
    }
    for index in 0..<left { events.next(&records[index]) }
    try writer.append(contentsOfParsed: Array(records[..<left]))
    try writer.commit()
  }

  /// Writes a log of as many events as there are in 60 days.
  static func write(
    _ count: Int, seed: UInt64, to path: String, _ profile: CompressionProfile,
    _ names: JourneyNames = JourneyNames()
  ) throws {
    let events = JourneyEvents(count: count, seed: seed, names: names)
    var log = try JourneyLog(path, events, seed: seed, profile: profile)
    try log.append(count)
  }
}
