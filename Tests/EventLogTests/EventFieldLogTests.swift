import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Fields in a log")
struct EventFieldLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ lines: [String], frameRowCount: Int) throws -> String {
    var options = LogOptions(seed: 1)
    options.frameRowCount = frameRowCount
    let writer = try LogWriter(folder.path("log"), options: options)
    for line in lines { try writer.append([FieldSamples.event(line)]) }
    try writer.commit()
    return folder.path("log")
  }

  private func lines(of path: String) throws -> [String] {
    var lines: [String] = []
    try LogReader(path).forEachEvent { event, _ in lines.append(FieldSamples.line(event)) }
    return lines
  }

  @Test("each is read as it was appended, in frames of one event and of many", arguments: [1, 3, 1_000])
  func reading(_ frameRowCount: Int) throws {
    let lines = FieldSamples.lines
    #expect(try self.lines(of: write(lines, frameRowCount: frameRowCount)) == lines)
  }

  @Test("each is kept by compacting, splitting and merging")
  func copying() throws {
    let lines = FieldSamples.lines
    let path = try write(lines, frameRowCount: 2)
    _ = try LogRewriter(path).compact()
    #expect(try self.lines(of: path) == lines)
    let shards = [folder.path("a"), folder.path("b")]
    _ = try LogSplit(shardCount: 2).write(LogReader(path), to: shards)
    let parts = try shards.map { try self.lines(of: $0) }
    #expect(parts.flatMap(\.self).sorted() == lines.sorted())
    let merged = folder.path("merged")
    let merge = try LogMerge(shards.map { try LogReader($0) })
    _ = try merge.write(to: LogWriter(merged), temporaryFolder: folder.path("merged"))
    #expect(try self.lines(of: merged).sorted() == lines.sorted())
  }

  @Test("each changes the fingerprint")
  func fingerprints() throws {
    let fingerprint = RecordFingerprint(key: FingerprintKey(first: 1, second: 2))
    var seen: [UInt64: String] = [:]
    for line in FieldSamples.lines {
      var record = EventRecord()
      try record.load(FieldSamples.event(line))
      let content = fingerprint.content(of: record)
      #expect(seen[content] == nil || seen[content] == line, "\(line)")
      seen[content] = line
    }
  }
}
