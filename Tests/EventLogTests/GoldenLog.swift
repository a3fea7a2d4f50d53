import Events
import TestSupport

@testable import EventLog

/// The logs that stand in `Golden/` as they were written when their format was released. They are never
/// written again: what is made here only says how they came to be, and fills a folder that is not there.
enum GoldenLog: String, CaseIterable {
  /// Every encoding, vocabulary and way of storing.
  case everyEncoding = "every-encoding"
  /// Each of the compression profiles, a segment each.
  case profiles
  /// A killed writer's: no mark that the last commit is durable but in HEAD, and a frame cut off behind it.
  case killed
  /// Compacted, erased and repaired: positions and codes without events and names, notes, producers.
  case rewritten
  /// With a column, a frame type and flags that only a newer version knows.
  case newer
  /// With the systems and instances that wrote events, and goals that name a point and a slot.
  case systems

  /// The files of the log by their names.
  func make() throws -> [String: [UInt8]] {
    let disk = MemoryDisk()
    switch self {
    case .everyEncoding: return Self.files(of: try EveryEncodingLog.make().disk)
    case .profiles: try Self.writeProfiles(disk)
    case .killed: try Self.writeKilled(disk)
    case .rewritten: try Self.writeRewritten(disk)
    case .newer: return try Self.makeNewer()
    case .systems: try Self.writeSystems(disk)
    }
    return Self.files(of: disk)
  }

  private static let path = EveryEncodingLog.path

  private static func files(of disk: MemoryDisk) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (file, bytes) in disk.files { files[String(file.dropFirst(path.count + 1))] = bytes }
    return files
  }

  private static func writeProfiles(_ disk: MemoryDisk) throws {
    var generator = EventGenerator(seed: 10)
    for profile in CompressionProfile.allCases {
      let options = LogOptions(profile: profile, segmentByteCount: 1_000, seed: 10)
      let writer = try LogWriter(path, options: options, disk: disk)
      try writer.append(generator.events(150))
      try writer.commit()
    }
  }

  private static func writeKilled(_ disk: MemoryDisk) throws {
    var generator = EventGenerator(seed: 11)
    var writer: LogWriter? = try LogWriter(path, options: LogOptions(seed: 11), disk: disk)
    for _ in 0..<3 {
      try writer?.append(generator.events(5))
      try writer?.commit()
    }
    let durable = disk.files
    try writer?.append(generator.events(5))
    try writer?.commit()
    var killed = disk.files
    for name in LogHead.names { killed[path + "/" + name] = durable[path + "/" + name] }
    for (file, bytes) in killed where file.hasSuffix(".bdl") {
      killed[file] = bytes.dropLast(100)
    }
    // What a writer does when it goes is not what a killed one does.
    writer = nil
    disk.files = killed
  }

  private static func writeRewritten(_ disk: MemoryDisk) throws {
    var generator = EventGenerator(seed: 12)
    do {
      let options = LogOptions(segmentByteCount: 5_000, seed: 12)
      let writer = try LogWriter(path, options: options, disk: disk)
      let producer = ProducerID(name: "phone")
      for sequence in 1...12 {
        try writer.append(generator.events(8))
        try writer.append(generator.events(4), producer: producer, sequence: UInt64(sequence))
        try writer.commit()
      }
    }
    _ = try LogRewriter(path, disk: disk).compact(profile: .small)
    _ = try LogRewriter(path, disk: disk).erase(Erasure(units: ["u-1", "u-2"]))
    let second = disk.files.keys.filter { $0.hasSuffix(".bdl") }.sorted()[1]
    disk.files[second]?[600] ^= 1
    _ = try LogRepair(path, disk: disk).run()
  }

  private static func writeSystems(_ disk: MemoryDisk) throws {
    var generator = EventGenerator(seed: 13)
    for profile in [CompressionProfile.balanced, .small] {
      let options = LogOptions(profile: profile, segmentByteCount: 5_000, seed: 13)
      let writer = try LogWriter(path, options: options, disk: disk)
      for _ in 0..<3 {
        try writer.append(generator.events(40))
        try writer.commit()
      }
    }
  }

  private static func makeNewer() throws -> [String: [UInt8]] {
    var files = files(of: try EveryEncodingLog.make().disk)
    let first = files.keys.filter { $0.hasSuffix(".bdl") }.sorted()[0]
    var segment = ForgedSegment(files[first] ?? [])
    segment.header.replaceLittleEndian(7 as UInt16, at: 10)
    segment.frames[0].header[5] |= 0x80
    var column = segment.frames[0].chunks[0]
    column.entry.replaceLittleEndian(100 as UInt16, at: 0)
    segment.frames[0].chunks.append(column)
    files[first] = segment.bytes
    return files
  }
}
