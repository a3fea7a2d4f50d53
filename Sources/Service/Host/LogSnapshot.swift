internal import DecidingAgents
internal import DecidingCore
internal import EventLog
internal import Events

/// The states of all systems at a position of a log, made by a replay of the log and never from the states of a running
/// service, so that a start replays only the events after it. It can be deleted at any time.
///
/// The file is in the log's folder: a line of JSON, the snapshots of the three systems, each in a line of JSON, and the
/// sessions of the agents in their compact form.
///
/// ```text
/// {"check":C,"crc":X,"log":ID,"position":P,"version":3}
/// ```
///
/// C is the checksum of the last event before P and of the erasures and repairs of the log: a snapshot of another log,
/// or of events that were erased since, does not fit, and one of a log that was compacted since does. X is the checksum
/// of what follows the first line.
struct LogSnapshot {
  static let name = LogReader.snapshotName
  private static let version: Int64 = 3

  var position: UInt64
  var agents: CompactAgents
  var experiments: String
  var rollouts: String

  // MARK: Reading

  /// Reads the snapshot of a log; nil if there is none that fits, which is noted.
  static func read(of log: LogReader, _ options: ServiceOptions) -> LogSnapshot? {
    let path = options.log + "/" + name
    guard (try? options.disk.list(options.log))??.contains(name) == true else { return nil }
    do {
      let file = try options.disk.open(path, writable: false)
      let bytes = try file.read(at: 0, count: Int(clamping: try file.size()))
      return try LogSnapshot(parsing: bytes, of: log)
    } catch {
      options.note("the snapshot of the log is ignored: \(error)")
      // It may have what was erased from the log since.
      try? options.disk.remove(path)
      return nil
    }
  }

  private init(parsing bytes: [UInt8], of log: LogReader) throws {
    let newline = UInt8(ascii: "\n")
    let lines = bytes.split(separator: newline, maxSplits: 4, omittingEmptySubsequences: false)
    guard lines.count == 5 else { throw LogSnapshotProblem.damaged }
    let json = try JSONValue(parsing: Array(lines[0]))
    let crc = Checksum.crc32c(bytes[lines[1].startIndex...])
    guard json["crc"]?.integer == Int64(crc) else { throw LogSnapshotProblem.damaged }
    guard json["version"]?.integer == Self.version else { throw LogSnapshotProblem.otherVersion }
    guard let position = json["position"]?.integer, position > 0,
      json["log"]?.string == log.id?.description,
      try json["check"]?.integer == Self.check(of: log, at: UInt64(position)).map({ Int64($0) })
    else { throw LogSnapshotProblem.otherLog }
    let texts = lines[1...3].map { String(decoding: $0, as: UTF8.self) }
    self.init(
      position: UInt64(position),
      agents: CompactAgents(snapshot: texts[0], sessions: Array(lines[4])), experiments: texts[1],
      rollouts: texts[2])
  }

  init(position: UInt64, agents: CompactAgents, experiments: String, rollouts: String) {
    self.position = position
    self.agents = agents
    self.experiments = experiments
    self.rollouts = rollouts
  }

  /// Returns the checksum of the last event before a position, and of the operations on the log; nil if there is no
  /// such event.
  private static func check(of log: LogReader, at position: UInt64) throws -> UInt32? {
    var text = try log.notes().joined(separator: "\n")
    var isKnown = false
    guard position > 0 else { return nil }
    try log.forEachEvent(in: position - 1..<position) { record, _ in
      let event = try Event(record)
      text += try "\n" + event.jsonLine
      isKnown = true
    }
    return isKnown ? Checksum.crc32c(Array(text.utf8)) : nil
  }

  // MARK: Making

  /// Makes the snapshot of a log at a position, from the one that is there and the events after it, and replaces that.
  ///
  /// - Returns: Its position; nil if there is no event before it.
  /// - Throws: ``LogError`` if the log cannot be read, or the file cannot be written.
  /// - Complexity: As for the systems' start; a second copy of their states is in memory meanwhile.
  static func make(at position: UInt64, of log: LogReader, _ options: ServiceOptions) throws
    -> UInt64?
  {
    // Before what takes long.
    guard position > 0 else { return nil }
    let earlier = read(of: log, options).flatMap { $0.position <= position ? $0 : nil }
    let (deciding, start) = DecidingSystems.restored(from: earlier, options, sink: MemorySink())
    try deciding.replay(log, from: start, to: position)
    return try DecidingSystemStates(deciding, at: position).snapshot.write(of: log, options)
      ? position : nil
  }

  /// The size of the parts in JSON up to which a snapshot is worth its reading, whatever the log.
  private static let smallSize = 1 << 20
  /// The size of the parts in JSON for each event before the position, beyond which reading them takes about as long as
  /// replaying the events. Imported events, which all systems keep, have more.
  private static let sizePerEvent: UInt64 = 16

  /// Whether a start from the snapshot takes less time than one without.
  private var isWorthReading: Bool {
    let size = [agents.snapshot, experiments, rollouts].reduce(0) { $0 + $1.utf8.count }
    return size <= Self.smallSize || UInt64(size) / Self.sizePerEvent <= position
  }

  /// Writes the snapshot of a log, and replaces the one that is there.
  ///
  /// - Returns: Whether it was written: only if there is an event before its position, and if a start from it takes
  ///   less time than one without, which is noted.
  /// - Throws: ``LogError`` if the file cannot be written.
  func write(of log: LogReader, _ options: ServiceOptions) throws -> Bool {
    guard isWorthReading else {
      options.note(
        "no snapshot is kept at position \(position): reading it would take longer than replaying the log"
      )
      return false
    }
    guard let id = log.id, let check = try Self.check(of: log, at: position) else { return false }
    var body: [UInt8] = []
    for text in [agents.snapshot, experiments, rollouts] {
      body += text.utf8
      body.append(UInt8(ascii: "\n"))
    }
    body += agents.sessions
    let head: JSONValue = [
      "version": .integer(Self.version), "log": .string(id.description),
      "position": .integer(Int64(position)), "check": .integer(Int64(check)),
      "crc": .integer(Int64(Checksum.crc32c(body))),
    ]
    // A crash leaves the old or the new one.
    try log.replaceFile(Self.name, by: Array((head.description + "\n").utf8) + body)
    return true
  }
}

/// The reason why a snapshot does not fit a log.
private enum LogSnapshotProblem: Error, CustomStringConvertible {
  case damaged, otherVersion, otherLog

  var description: String {
    switch self {
    case .damaged: "it is damaged; it is replaced in time"
    case .otherVersion: "another version of the service made it; it is replaced in time"
    case .otherLog: "it is of another log, or the log was rewritten; it is replaced in time"
    }
  }
}
