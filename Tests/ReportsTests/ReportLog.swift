import EventLog
import Events
import Replay
import TestSupport

/// A log of a few events, in a folder of its own.
struct ReportLog {
  let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  /// Writes the events, so many to a frame.
  init(_ events: [Event], perFrame: Int = .max) throws {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    var rest = events[...]
    repeat {
      try writer.append(Array(rest.prefix(perFrame)))
      try writer.commit()
      rest = rest.dropFirst(perFrame)
    } while !rest.isEmpty
    try self.init(in: folder)
  }

  /// Opens a log again, after it was rewritten.
  init(reopening log: ReportLog) throws { try self.init(in: log.folder) }

  private init(in folder: TemporaryFolder) throws {
    self.folder = folder
    reader = try LogReader(folder.path("log"))
    names = try LogNames(reader, [.experiments, .points, .slots, .variants, .goals])
  }

  var replay: LogReplay { LogReplay(reader, jobs: 2) }

  static func event(_ time: Int64, _ unit: String, _ payload: Payload) -> Event {
    Event(time: Timestamp(microseconds: time), unit: UnitID(unit), payload: payload)
  }

  static func decision(
    _ time: Int64, _ unit: String, _ variant: String, _ experiment: ExperimentID = "e"
  ) -> Event {
    event(
      time, unit, .decision(Decision(experiment: experiment, variant: VariantID(variant))))
  }

  static func conversion(_ time: Int64, _ unit: String, _ goal: GoalID, _ revenue: Double?)
    -> Event
  {
    event(time, unit, .conversion(Conversion(goal: goal, revenue: revenue)))
  }
}
