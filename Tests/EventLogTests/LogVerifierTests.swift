import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Verifying a log")
struct LogVerifierTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path("log/seg-00000000000000000000.bdl") }

  init() throws {
    folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 8)
    let writer = try LogWriter(folder.path("log"))
    for size in [40, 300, 3] {
      try writer.append(generator.events(size))
      try writer.commit()
    }
  }

  @Test("every byte and every event is counted, with and without reading events back")
  func whole() throws {
    let log = try LogReader(folder.path("log"))
    for deep in [false, true] {
      var last: UInt64 = 0
      let result = try log.verify(deep: deep) { last = $0 }
      #expect(result.problems.isEmpty)
      #expect(result.eventCount == 343)
      #expect(result.byteCount == log.byteCount)
      #expect(last == log.byteCount)
    }
  }

  @Test(
    "a byte that changes after the log was opened is detected wherever it is",
    arguments: 0..<60 as Range<UInt64>)
  func changed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = try LogReader(folder.path("log"))
    var bytes = try #require(FileManager.default.contents(atPath: file))
    for _ in 0..<20 {
      let place = random.index(bytes.count)
      let old = bytes[place]
      bytes[place] ^= 1 << UInt8(random.index(8))
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.write(contentsOf: bytes)
      let problem = try #require(try log.verify().problems.first, "byte \(place), seed \(seed)")
      #expect(problem.path == file)
      let frame = log.frames.first { $0.offset <= UInt64(place) && UInt64(place) < $0.endOffset }
      #expect(problem.offset <= UInt64(place) && problem.offset >= frame?.offset ?? 0)
      bytes[place] = old
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: bytes)
    }
    #expect(try log.verify().problems.isEmpty)
  }

  @Test("a truncated file is detected")
  func shorter() throws {
    let log = try LogReader(folder.path("log"))
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: log.byteCount - 20)
    #expect(try !log.verify().problems.isEmpty)
    try handle.truncate(atOffset: 30)
    #expect(try log.verify().problems.first?.offset == 0)
  }

  @Test("parts of a file of any size are summed as a whole", arguments: 0..<40 as Range<UInt64>)
  func portions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = folder.path("bytes")
    let content = (0..<1 + random.index(700_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
    try Data(content).write(to: URL(fileURLWithPath: path))
    let file = try SystemDisk().open(path, writable: false)
    var bytes = CheckedBytes(file, limit: UInt64(random.index(content.count + 1)))
    var at = 0
    while at < content.count {
      let end = min(content.count, at + random.index(random.chance(0.5) ? 300_000 : 90))
      let range = UInt64(at)..<UInt64(end)
      #expect(try bytes.checksum(range) == Checksum.crc32c(content[at..<end]), "seed \(seed)")
      #expect(try bytes.take(range) == Array(content[at..<end]), "seed \(seed)")
      #expect(try bytes.isZero(range) == content[at..<end].allSatisfy { $0 == 0 })
      at = max(end, at + 1)
    }
    let beyond = UInt64(content.count - 1)..<UInt64(content.count + 1)
    #expect(try bytes.checksum(beyond) == nil)
    #expect(try !bytes.isZero(beyond))
  }
}
