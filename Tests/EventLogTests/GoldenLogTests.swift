import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

/// Logs of every released format, as they were written then, and the JSON Lines that they hold.
@Suite("Logs of released formats")
struct GoldenLogTests {
  private static let format = "format-\(SegmentHeader.major)"
  private static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    .path

  private static let all: [String] = {
    let formats = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let logs = formats.flatMap { format in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + format)) ?? []
      return names.filter { !$0.hasSuffix(".jsonl") }.map { format + "/" + $0 }
    }
    return logs.sorted()
  }()

  private func jsonLines(_ log: LogReader) throws -> [UInt8] {
    var output: [UInt8] = []
    try log.forEachEvent { record, _ in JSONLinesEncoder.append(record, to: &output) }
    return output
  }

  private func expected(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + name + ".jsonl")))
  }

  /// A log for tests that write to it.
  private func copy(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("log")
    try FileManager.default.copyItem(atPath: Self.folder + "/" + name, toPath: path)
    return path
  }

  @Test("every released format is covered; a new one is written once, and never again")
  func complete() throws {
    if ProcessInfo.processInfo.environment["BANDOLIER_WRITE_GOLDEN"] != nil {
      for golden in GoldenLog.allCases { try write(golden) }
    }
    for golden in GoldenLog.allCases {
      #expect(Self.all.contains("\(Self.format)/\(golden.rawValue)"), "\(golden)")
    }
  }

  private func write(_ golden: GoldenLog) throws {
    let path = Self.folder + "/" + Self.format + "/" + golden.rawValue
    guard !FileManager.default.fileExists(atPath: path) else { return }
    for (name, bytes) in try golden.make() {
      let file = URL(fileURLWithPath: path + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    try Data(try jsonLines(LogReader(path))).write(to: URL(fileURLWithPath: path + ".jsonl"))
  }

  @Test("gives the same JSON Lines, byte for byte", arguments: all)
  func reads(name: String) throws {
    let log = try LogReader(Self.folder + "/" + name)
    #expect(try jsonLines(log) == expected(name))
    #expect(try log.verify(deep: true).problems.isEmpty)
    var rows = 0
    try log.forEachBatch(EventColumns(rawValue: .max)) { rows += $0.count }
    #expect(rows == Int(log.eventCount))
    let skipping = try LogReader(Self.folder + "/" + name, damaged: .skip)
    #expect(try jsonLines(skipping) == expected(name) && skipping.losses.isEmpty)
  }

  @Test("accepts further events after the existing ones", arguments: all)
  func goesOn(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try copy(name, in: folder)
    var generator = EventGenerator(seed: 1)
    let more = generator.events(40)
    do {
      let writer = try LogWriter(path)
      try writer.append(more)
      try writer.commit()
    }
    var lines: [UInt8] = []
    for event in more { lines += Array((try event.jsonLine + "\n").utf8) }
    #expect(try jsonLines(LogReader(path)) == expected(name) + lines)
  }

  @Test("can be rewritten, unless that would lose data of a newer version", arguments: all)
  func rewritten(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try copy(name, in: folder)
    guard !name.hasSuffix("newer") else {
      let error = #expect(throws: LogError.self) { try LogRewriter(path).compact() }
      #expect(error?.code == .newerVersion && error?.message.contains("1 other columns") == true)
      return
    }
    _ = try LogRewriter(path).compact(profile: .small)
    #expect(try jsonLines(LogReader(path)) == expected(name))
  }

  @Test("the next major format, or one with an unknown required feature, is refused by name")
  func refused() throws {
    for (offset, value) in [(8, SegmentHeader.major + 1), (48, 4)] {
      let files = try GoldenLog.everyEncoding.make()
      let disk = MemoryDisk()
      for (name, bytes) in files { disk.files["log/" + name] = bytes }
      let first = "log/" + SegmentHeader.fileName(basePosition: 0)
      var segment = ForgedSegment(disk.files[first] ?? [])
      segment.header.replaceLittleEndian(value, at: offset)
      disk.files[first] = segment.bytes
      for policy in DamagePolicy.allCases {
        let error = #expect(throws: LogError.self) {
          try LogReader("log", damaged: policy, disk: disk)
        }
        #expect(error?.code == .newerVersion)
        #expect(error?.message.contains(offset == 8 ? "format 2.0" : "features 4") == true)
      }
    }
  }

  @Test("a rewritten log keeps the sequences of producers and the notes on operations")
  func remarks() throws {
    let folder = try TemporaryFolder()
    let path = try copy("\(Self.format)/rewritten", in: folder)
    let notes = try LogReader(path).notes()
    #expect(notes.map { $0.contains("\"repair\"") } == [false, true])
    let writer = try LogWriter(path)
    #expect(writer.lastSequence(of: ProducerID(name: "phone")) == 12)
  }
}
