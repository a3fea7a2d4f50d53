import Events
import TestSupport

@testable import EventLog

/// A log in memory whose files tests change as they like.
struct SmallLog {
  static let path = "/log"

  /// What is in the folder, by name.
  var files: [String: [UInt8]] = [:]
  /// What was appended: the event of each position.
  private(set) var events: [Event] = []

  /// A log to which each batch was appended and committed; if it is not closed, its files are as a killed
  /// writer leaves them.
  init(
    _ batches: [[Event]], segmentByteCount: UInt64 = 64 << 20, frameRowCount: Int = 65_536,
    seed: UInt64 = 1, isClosed: Bool = true
  ) throws {
    let disk = SimulatedDisk(seed: seed)
    var options = LogOptions(segmentByteCount: segmentByteCount, seed: seed)
    options.frameRowCount = frameRowCount
    var writer: LogWriter? = try LogWriter(Self.path, options: options, disk: disk)
    for batch in batches {
      try writer?.append(batch)
      try writer?.commit()
      events += batch
    }
    if isClosed { writer = nil }
    files = Self.files(on: disk)
    files["LOCK"] = nil
    withExtendedLifetime(writer) {}
  }

  static func files(on disk: SimulatedDisk) -> [String: [UInt8]] {
    let names = (try? disk.list(path)) ?? []
    let pairs = names.compactMap { name in disk.contents(path + "/" + name).map { (name, $0) } }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// The names of the segments, in order.
  var segments: [String] { files.keys.filter { $0.hasPrefix("seg-") }.sorted() }

  /// The name of the last segment.
  var last: String { segments.last ?? "" }

  mutating func removeHead() {
    for name in LogHead.names { files[name] = nil }
  }

  /// A disk with the log's files on it, all of them durable.
  var disk: SimulatedDisk {
    get throws {
      let disk = SimulatedDisk(seed: 1)
      try disk.createFolder(Self.path)
      for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
        let file = try disk.create(Self.path + "/" + name)
        try file.write(bytes, at: 0)
        try file.sync()
      }
      try disk.syncFolder(Self.path)
      try disk.syncFolder("/")
      return disk
    }
  }

  func reader(_ damaged: DamagePolicy = .strict) throws -> LogReader {
    try LogReader(Self.path, damaged: damaged, disk: try disk)
  }

  func writer() throws -> LogWriter {
    try LogWriter(Self.path, options: LogOptions(seed: 9), disk: try disk)
  }

  /// What is wrong with the log when it is opened, or else when every byte of it is checked.
  func damage() throws -> String? {
    do {
      let reader = try reader()
      return try reader.verify(deep: true).problems.first?.description
    } catch let error as LogError where error.code != .inputOutput {
      return error.description
    }
  }
}

extension LogReader {
  /// Every event that is handed out, by its position.
  func eventsByPosition() throws -> [UInt64: Event] {
    var events: [UInt64: Event] = [:]
    try forEachEvent { record, position in events[position] = try Event(record) }
    return events
  }

  /// Every position of which something is lost so far.
  var lostPositions: Set<UInt64> { losses.reduce(into: []) { $0.formUnion($1.positions) } }
}
