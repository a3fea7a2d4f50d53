import Events

@testable import EventLog

/// A small log of two segments and four frames that has a chunk of every encoding, names of every
/// vocabulary, gaps, literals, shapes and features, with and without DEFLATE.
enum EveryEncodingLog {
  static let path = "log"

  /// The log on a disk of its own, and its events.
  static func make() throws -> (disk: MemoryDisk, events: [Event]) {
    let (files, events) = try written.get()
    return (MemoryDisk(files), events)
  }

  private static let written = Result { try write() }

  private static func write() throws -> (files: [String: [UInt8]], events: [Event]) {
    let disk = MemoryDisk()
    var events: [Event] = []
    for (session, profile) in [CompressionProfile.balanced, .small].enumerated() {
      let options = LogOptions(profile: profile, segmentByteCount: 6_000, seed: 5)
      let writer = try LogWriter(path, options: options, disk: disk)
      for frame in 0..<2 {
        let batch = (0..<26).map { event($0, of: session * 2 + frame) } + others(session)
        try writer.append(batch)
        try writer.commit()
        events += batch
      }
    }
    return (disk.files, events)
  }

  /// The files of the log's segments, in order.
  static func segments(of disk: MemoryDisk) -> [String] {
    disk.files.keys.filter { $0.hasSuffix(".bdl") }.sorted()
  }

  private static func time(_ row: Int) -> Timestamp {
    Timestamp(microseconds: 1_767_323_045_000_000 + Int64(row) * 1_000_003)
  }

  /// The same times, but in one frame, where one event comes late.
  private static func time(_ row: Int, of frame: Int) -> Timestamp {
    frame == 1 && row == 9 ? Timestamp(microseconds: time(2).microseconds + 11) : time(row)
  }

  /// Decisions and goals: numbers for each of the encodings.
  private static func event(_ row: Int, of frame: Int) -> Event {
    guard row % 13 != 12 else {
      return Event(
        time: time(row, of: frame), unit: UnitID("u-\(row)"), id: EventID("e-\(row)"),
        system: .agents,
        payload: .goal(
          Goal(
            experiment: "exp", point: "cart", slot: "top", goal: "buy",
            value: Double(row * 37 + frame) / 100,
            metadata: ["note": .text(String(repeating: "long note ", count: 8) + "\(row)")])))
    }
    let context: Attributes = [
      "root": .number(Double(row + 2).squareRoot()), "vip": .flag(row % 2 == 0),
      "country": .text(["DE", "FR", "IT"][row % 3]),
      "third": .number([1.0 / 3, 0.1, .pi][row % 3]),
      "rare": .integer(row == 7 ? .max : 1 << 60),
      "price": .number(Double(row * 7_919 % 9_973) / 100),
    ]
    return Event(
      time: time(row, of: frame), unit: UnitID("u-\(row % 20)"),
      id: row % 3 == 0 ? nil : EventID("e-\(row)"),
      payload: .decision(
        Decision(
          experiment: ExperimentID("exp\(row * 5 % 3)"), point: "cart", slot: "top",
          variant: VariantID("v\(row * 7 % 5)"), choices: ["v0", "v1"], propensity: 0.5,
          probabilities: row % 4 == 0 ? [0.25, 0.75] : nil, policy: "uniform", reason: "random",
          context: context,
          features: row % 9 == 0 ? ["v0": ["price": .number(1.5)], "v1": [:]] : nil)))
  }

  private static func others(_ session: Int) -> [Event] {
    [
      Event(
        time: time(26), unit: "someone else", id: "no number",
        payload: .conversion(Conversion(goal: "order", revenue: -0.0, negative: true)),
        unknownFields: JSONMembers(validated: "\"x\":[1]")),
      Event(
        time: time(27), unit: "u-1", system: .experiments,
        instance: InstanceID("shop-\(session)"),
        payload: .dataPoint(DataPoint(kind: "custom", key: "k\(session)", value: "red"))),
      Event(
        time: time(28), unit: "",
        payload: .configurationApplied(
          ConfigurationApplied(
            system: "agents", experiment: "exp", changed: ["state"],
            configuration: JSONText(validated: "{\"a\":[1,2]}")))),
    ]
  }
}

/// What reading a log that may be damaged comes to.
enum LogVerdict: Hashable {
  /// Something is said to be wrong.
  case found
  /// Nothing is said to be wrong, and every event is what was written.
  case unchanged

  /// Opens, verifies and reads back the log.
  ///
  /// - Throws: When an event is handed out that was not written, or an error is of a wrong sort.
  static func of(
    _ disk: MemoryDisk, path: String = EveryEncodingLog.path, events: [Event],
    damagedFile: String? = nil
  ) throws -> LogVerdict {
    do {
      let log = try LogReader(path, disk: disk)
      let verification = try log.verify(deep: true)
      var isFound = !verification.problems.isEmpty || log.tail != nil
      var read: [Event] = []
      do {
        try log.forEachEvent { record, _ in read.append(try Event(record)) }
      } catch let error as LogError {
        isFound = true
        try FuzzTarget.require(error.code == .damaged, "code \(error.code)")
      }
      try FuzzTarget.require(
        read.count <= events.count && read == Array(events.prefix(read.count)),
        "an event is handed out that was not written")
      if !isFound { try FuzzTarget.require(read.count == events.count, "events are missing") }
      return isFound ? .found : .unchanged
    } catch let error as LogError {
      try FuzzTarget.require(
        [.damaged, .notALog, .newerVersion].contains(error.code), "code \(error.code)")
      return .found
    }
  }
}
