import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Compacting a log")
struct LogCompactionTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A log of many small frames in several segments.
  private func makeLog(_ generator: inout EventGenerator, profile: CompressionProfile) throws
    -> [Event]
  {
    let options = LogOptions(
      profile: profile, segmentByteCount: UInt64(4_000 + generator.random.index(60_000)), seed: 1)
    let writer = try LogWriter(path, options: options)
    var events: [Event] = []
    for _ in 0..<20 + generator.random.index(40) {
      let batch = generator.events(1 + generator.random.index(20))
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return events
  }

  private func files() throws -> [String: [UInt8]] { try Self.files(in: path) }

  @Test(
    "keeps every event, position and name, in fewer frames and bytes", arguments: 0..<UInt64(30))
  func keepsEverything(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let profiles = CompressionProfile.allCases
    let events = try makeLog(&generator, profile: profiles[generator.random.index(3)])
    let before = try LogReader(path)
    let names = try LogNames(before, Set(Vocabulary.allCases))
    let to = profiles[generator.random.index(3)]

    let summary = try LogRewriter(path).compact(profile: to)

    let after = try LogReader(path)
    #expect(try after.allEvents() == events, "seed \(seed)")
    #expect(after.segments.map(\.basePosition) == before.segments.map(\.basePosition))
    #expect(after.frameCount == after.segments.count { $0.endPosition > $0.basePosition })
    #expect(try after.verify(deep: true).problems.isEmpty)
    #expect(summary.segments == before.segments.count)
    #expect(summary.bytesBefore == before.byteCount && summary.bytesAfter == after.byteCount)
    #expect(after.byteCount < before.byteCount)
    let namesAfter = try LogNames(after, Set(Vocabulary.allCases))
    for vocabulary in Vocabulary.allCases where vocabulary != .units {
      for code in 0..<before.codeLimit(vocabulary) {
        #expect(names.bytes(code, in: vocabulary) == namesAfter.bytes(code, in: vocabulary))
      }
    }
    // A reader that was open goes on with the files it has.
    #expect(try before.allEvents() == events)
  }

  @Test("fills frames up to the maximum number of rows", arguments: [1, 7, 50, 65_536])
  func frameRows(rows: Int) throws {
    var generator = EventGenerator(seed: 3)
    let events = try makeLog(&generator, profile: .fast)
    var rewriter = try LogRewriter(path)
    rewriter.frameRowCount = rows
    _ = try rewriter.compact(profile: .balanced)
    let log = try LogReader(path)
    #expect(try log.allEvents() == events)
    // Frames are merged and never parted; those that are there have at most 20 rows.
    #expect(log.frames.allSatisfy { $0.rows <= max(rows, 20) })
  }

  @Test("keeps the profile of each segment unless another one is requested")
  func profiles() throws {
    var generator = EventGenerator(seed: 8)
    _ = try makeLog(&generator, profile: .small)
    _ = try LogRewriter(path).compact()
    #expect(try LogReader(path).segments.allSatisfy { $0.profile == .small })
    _ = try LogRewriter(path).compact(profile: .fast)
    #expect(try LogReader(path).segments.allSatisfy { $0.profile == .fast })
  }

  @Test("gives the same bytes for the same log, and when repeated")
  func isDeterministic() throws {
    var generator = EventGenerator(seed: 4)
    _ = try makeLog(&generator, profile: .fast)
    let copy = folder.path("copy")
    try SystemDisk().copyFolder(path, to: copy)
    _ = try LogRewriter(path).compact(profile: .small)
    _ = try LogRewriter(copy).compact(profile: .small)
    #expect(try files() == LogCompactionTests.files(in: copy))
    let sizes = try files().mapValues(\.count)
    _ = try LogRewriter(path).compact(profile: .small)
    #expect(try files().mapValues(\.count) == sizes)
  }

  private static func files(in path: String) throws -> [String: [UInt8]] {
    let disk = SystemDisk()
    let names = try disk.list(path) ?? []
    let contents = try names.filter { $0.hasPrefix("seg-") }.map { name in
      let file = try disk.open(path + "/" + name, writable: false)
      return (name, try file.read(at: 0, count: Int(try file.size())))
    }
    return Dictionary(uniqueKeysWithValues: contents)
  }

  @Test("leaves a log that can be appended to as before")
  func goesOn() throws {
    var generator = EventGenerator(seed: 5)
    var events = try makeLog(&generator, profile: .fast)
    _ = try LogRewriter(path).compact(profile: .balanced)
    let more = generator.events(300)
    do {
      let writer = try LogWriter(path)
      #expect(writer.recovered == nil && writer.nextPosition == UInt64(events.count))
      try writer.append(more)
      try writer.commit()
    }
    events += more
    #expect(try LogReader(path).allEvents() == events)
    _ = try LogRewriter(path).compact(profile: .small)
    #expect(try LogReader(path).allEvents() == events)
  }

  @Test("is refused while another writer holds the lock, and without a log")
  func refused() throws {
    var generator = EventGenerator(seed: 6)
    _ = try makeLog(&generator, profile: .fast)
    let writer = try LogWriter(path)
    #expect { _ = try LogRewriter(path) } throws: { ($0 as? LogError)?.code == .locked }
    _ = writer.nextPosition
    #expect { _ = try LogRewriter(folder.path("nothing")) } throws: {
      ($0 as? LogError)?.code == .notFound
    }
    #expect(try SystemDisk().list(folder.path("nothing")) == nil)
  }

  @Test("stops at damage and changes nothing")
  func damage() throws {
    var generator = EventGenerator(seed: 7)
    _ = try makeLog(&generator, profile: .fast)
    let log = try LogReader(path)
    let frame = try #require(log.frames.first)
    let entry = try #require(frame.entry(.time))
    let file = try SystemDisk().open(log.segments[0].path, writable: true)
    let place = frame.offset + UInt64(entry.offset)
    let byte = try file.read(at: place, count: 1)
    try file.write([byte[0] ^ 1], at: place)
    let before = try files()
    let rewriter = try LogRewriter(path)
    #expect { _ = try rewriter.compact(profile: .small) } throws: {
      ($0 as? LogError)?.code == .damaged
    }
    #expect(try files() == before)
  }
}

extension SystemDisk {
  /// Copies the files of a folder that has no folder in it.
  fileprivate func copyFolder(_ path: String, to copy: String) throws {
    try createFolder(copy)
    for name in try list(path) ?? [] where name.hasPrefix("seg-") {
      let source = try open(path + "/" + name, writable: false)
      let target = try create(copy + "/" + name)
      try target.write(try source.read(at: 0, count: Int(try source.size())), at: 0)
    }
  }
}
