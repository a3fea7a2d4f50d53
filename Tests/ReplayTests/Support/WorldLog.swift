import EventLog
import Events
import TestSupport

@testable import Replay

/// A log in a folder of its own, made of events.
final class WorldLog {
  let folder: TemporaryFolder
  let reader: LogReader
  let names: LogNames

  /// Writes the events, so many to a frame.
  init(_ events: [Event], perFrame: Int = 1_000) throws {
    folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    for start in stride(from: 0, to: events.count, by: max(1, perFrame)) {
      try writer.append(Array(events[start..<min(start + max(1, perFrame), events.count)]))
      try writer.commit()
    }
    reader = try LogReader(folder.path("log"))
    names = try LogNames(
      reader, [.experiments, .points, .slots, .variants, .goals, .policies, .reasons])
  }

  /// Writes the events at once, in frames of so many.
  init(committedOnce events: [Event], perFrame: Int) throws {
    folder = try TemporaryFolder()
    var options = LogOptions()
    options.frameRowCount = max(1, perFrame)
    let writer = try LogWriter(folder.path("log"), options: options)
    try writer.append(events)
    try writer.commit()
    reader = try LogReader(folder.path("log"))
    names = try LogNames(
      reader, [.experiments, .points, .slots, .variants, .goals, .policies, .reasons])
  }

  func experiment(_ code: UInt32) -> String { names.string(code, in: .experiments) ?? "" }
  func variant(_ code: UInt32) -> String { names.string(code, in: .variants) ?? "" }
  func goal(_ code: UInt32) -> String { names.string(code, in: .goals) ?? "" }
  func point(_ code: UInt32) -> String { names.string(code, in: .points) ?? "point-1" }
  func slot(_ code: UInt32) -> String { names.string(code, in: .slots) ?? "decision-1" }
}

/// How a log is replayed: whatever it is, results are the same.
struct ReplayForm: CustomStringConvertible {
  var perFrame: Int
  var jobs: Int
  var memoryLimit: Int?

  static let all = [
    ReplayForm(perFrame: 1_000, jobs: 1), ReplayForm(perFrame: 3, jobs: 2),
    ReplayForm(perFrame: 1, jobs: 7, memoryLimit: 100), ReplayForm(perFrame: 5, jobs: 64),
  ]

  func replay(_ log: WorldLog) -> LogReplay {
    LogReplay(log.reader, jobs: jobs, memoryLimit: memoryLimit)
  }

  var description: String {
    "\(perFrame) per frame, \(jobs) jobs, \(memoryLimit.map(String.init) ?? "no") limit"
  }
}

func event(_ time: Int64, _ unit: String, _ payload: Payload) -> Event {
  Event(time: Timestamp(microseconds: time), unit: UnitID(unit), payload: payload)
}

func decision(
  _ time: Int64, _ unit: String, _ variant: String, experiment: ExperimentID = "e",
  point: PointID? = nil, slot: SlotID? = nil, status: EventStatus? = nil,
  propensity: Double? = nil, policy: PolicyID? = nil, reason: String? = nil
) -> Event {
  event(
    time, unit,
    .decision(
      Decision(
        experiment: experiment, point: point, slot: slot, variant: VariantID(variant),
        propensity: propensity, policy: policy, reason: reason, status: status)))
}

func goal(
  _ time: Int64, _ unit: String, _ value: Double?, experiment: ExperimentID = "e",
  goal: GoalID = "g"
) -> Event {
  event(time, unit, .goal(Goal(experiment: experiment, goal: goal, value: value)))
}

func conversion(
  _ time: Int64, _ unit: String, goal: GoalID = "c", revenue: Double? = nil, negative: Bool? = nil
) -> Event {
  event(time, unit, .conversion(Conversion(goal: goal, revenue: revenue, negative: negative)))
}

func dataPoint(_ time: Int64, _ unit: String, kind: String, key: String?, value: AttributeValue?)
  -> Event
{
  event(time, unit, .dataPoint(DataPoint(kind: kind, key: key, value: value)))
}
