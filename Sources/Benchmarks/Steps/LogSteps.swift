import EventLog
import Events

/// Benchmarks of a log as a whole: opening it, and verifying it with and without decoding every event.
struct LogSteps {
  let name: String
  let path: String

  func steps() throws -> [Step] {
    let log = try LogReader(path)
    return [
      Step(name: "open, \(name)", events: Int(log.eventCount)) {
        try Measurement { _ = try LogReader(path) }
      },
      verify("verify", log), verify("verify --deep", log, deep: true),
    ]
  }

  private func verify(_ step: String, _ log: LogReader, deep: Bool = false) -> Step {
    Step(name: "\(step), \(name)", events: Int(log.eventCount), bytes: Int(log.byteCount)) {
      try Measurement {
        let result = try log.verify(deep: deep)
        guard result.problems.isEmpty else {
          throw ProcessRun.Failure(description: "\(path) is damaged")
        }
      }
    }
  }
}

/// Appending events from memory, with one commit at the end: writing alone, without the parser.
struct AppendSteps {
  let folder: String
  let events: Int

  func steps() -> [Step] {
    [
      step("append goals", records { $0.makeGoal($1) }),
      step("append decisions", records { $0.makeDecision($1) }),
    ]
  }

  /// A thousand events are appended repeatedly: more would measure the memory that they occupy.
  private func records(_ make: (inout EventRecord, Int) -> Void) -> [EventRecord] {
    (0..<1_000).map { index in
      var record = EventRecord()
      make(&record, index)
      return record
    }
  }

  private func step(_ name: String, _ records: [EventRecord]) -> Step {
    let path = folder + "/appended.log"
    return Step(name: name, events: events, prepare: { WorkFolder.remove(path) }) {
      let writer = try LogWriter(path, options: LogOptions(seed: 1))
      return try Measurement {
        for _ in 0..<events / records.count { try writer.append(contentsOfParsed: records) }
        try writer.append(contentsOfParsed: Array(records.prefix(events % records.count)))
        try writer.commit()
      }
    }
  }
}

extension EventRecord {
  fileprivate mutating func makeGoal(_ index: Int) {
    reset(kind: .goal, time: Timestamp(microseconds: 1_767_225_600_000_000 + Int64(index) * 7_919))
    self[.unit] = add("u-\(index * 7 % 1_000)")
    self[.experiment] = add("experiment-\(index % 8)")
    self[.goal] = add("goal-\(index % 3)")
    value = Double(index % 977) / 100
  }

  fileprivate mutating func makeDecision(_ index: Int) {
    reset(
      kind: .decision, time: Timestamp(microseconds: 1_767_225_600_000_000 + Int64(index) * 7_919))
    self[.unit] = add("u-\(index * 7 % 1_000)")
    self[.experiment] = add("experiment-\(index % 8)")
    self[.variant] = add("variant-\(index % 6)")
    hasChoices = true
    choices = (0..<6).map { add("variant-\($0)") }
    propensity = Double(index % 10 + 1) / 10
  }
}
