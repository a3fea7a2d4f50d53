import EventLog
import Events
import Replay
import TestSupport

/// A log of a few events, in a folder of its own.
struct ReportLog {
  let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  /// Writes the events.
  init(_ events: [Event]) throws {
    folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    try writer.append(events)
    try writer.commit()
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
