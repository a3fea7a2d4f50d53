import EventLog
import Events
import Platform
import Specifications
import TestSupport
import Testing

@testable import Interchange

/// A log as the destination of an import.
private struct Output: RecordAppender {
  let writer: LogWriter

  func append(_ record: EventRecord) throws { try writer.append(record) }

  func commit() throws { try writer.commit() }
}

@Suite("Files that were imported before")
struct ImportHistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var log: String { folder.path("events.log") }

  private func line(_ unit: String) -> String {
    #"{"type":"goal","time":"2026-01-02T03:04:05Z","unit":"\#(unit)","experiment":"e","goal":"g"}"#
  }

  /// Imports a file and notes it.
  private func imported(_ path: String) throws -> ImportHistory {
    var history = ImportHistory(key: FingerprintKey(first: 3, second: 4))
    let content = ContentRecorder(history)
    let importer = try Importer(.init(parsing: "auto"))
    var source = try importer.open(path, recorder: content)
    let session = ImportSession(filter: DuplicateFilter(directory: folder.path))
    try session.run(&source, into: Output(writer: try LogWriter(log)))
    #expect(content.hasAll(of: path))
    let counts = session.counts(since: ImportSummary())
    history.add(content, settings: "auto", counts, in: try LogReader(log))
    return history
  }

  private func find(_ path: String, _ settings: String, _ history: ImportHistory) throws
    -> ImportHistory.File?
  {
    history.find(path, settings: settings, in: try LogReader(log))
  }

  @Test("a file is found by its content, wherever it is, and by the settings")
  func content() throws {
    let text = (0..<5_000).map { line("u-\($0)") }.joined(separator: "\n") + "\n\n"
    let path = try folder.write(text, "a.jsonl")
    let history = try imported(path)
    let found = try #require(try find(path, "auto", history))
    #expect(
      found.counts
        == .init(
          records: 5_000, events: 5_000, blankLines: 1, textBytes: Int64(text.utf8.count),
          ignored: [:]))
    #expect(try find(folder.write(text, "copy.jsonl"), "auto", history) == found)
    #expect(try find(path, "segment", history) == nil)
    #expect(
      try find(folder.write(text.replacing("u-4999", with: "u-4998"), "b.jsonl"), "auto", history)
        == nil)
    #expect(try find(folder.write(text + line("v"), "c.jsonl"), "auto", history) == nil)
    #expect(try find(folder.path("none.jsonl"), "auto", history) == nil)
  }

  @Test("a file that was read with another mapping is found, as is one that begins with it")
  func otherMapping() throws {
    let text = (0..<50).map { line("u-\($0)") }.joined(separator: "\n") + "\n"
    let path = try folder.write(text, "a.jsonl")
    var history = try imported(path)
    let reader = try LogReader(log)
    let counts = ImportHistory.Counts(
      records: 50, events: 50, blankLines: 0, textBytes: 1, ignored: [:])
    history = ImportHistory(key: history.key)
    let whole = ContentRecorder(history)
    let bytes = Array(text.utf8)
    // Safety: bytes have no padding.
    unsafe whole.add(bytes.span.bytes)
    history.add(whole, settings: "auto\ne\na\nunit=u", counts, kinds: 2, in: reader)
    let found = { (path: String, settings: String) in
      history.findOthers(path, settings: settings, in: reader).last
    }
    #expect(found(path, "auto\ne\na\nunit=u") == nil)
    #expect(found(path, "auto\nf\nb\nunit=u") == nil)
    let other = try #require(found(path, "auto\ne\na\nunit=v"))
    #expect(other.settings(besides: "auto\ne\na\nunit=v") == ["unit=u"])
    #expect(other.mayHaveHad(kinds: 6) && !other.mayHaveHad(kinds: 4))
    let longer = try folder.write(text + line("more"), "a.jsonl")
    #expect(found(longer, "auto\ne\na\nunit=v") == other)
    #expect(found(longer, "auto\ne\nb\nunit=v") == nil)
    history.add(whole, settings: "auto\ne\na\ngoal=g", counts, kinds: 4, in: reader)
    let all = history.findOthers(longer, settings: "auto\ne\na\nunit=v", in: reader)
    #expect(all.map { $0.mayHaveHad(kinds: 2) } == [true, false])
    #expect(try #require(ImportHistory(history.bytes)).files == history.files)
  }

  @Test("a compressed file is found by its compressed bytes")
  func compressed() throws {
    let path = try folder.write(line("u") + "\n", "a.jsonl")
    let gzip = Gzip.member(Array((line("u") + "\n").utf8))
    let compressed = try folder.write(gzip, "a.jsonl.gz")
    let history = try imported(compressed)
    #expect(try find(compressed, "auto", history) != nil)
    #expect(try find(path, "auto", history) == nil)
  }

  @Test("a log that has lost or erased events has none of the files")
  func changedLog() throws {
    let path = try folder.write((0..<50).map { line("u-\($0)") }.joined(separator: "\n"), "a.jsonl")
    let history = try imported(path)
    #expect(try find(path, "auto", history) != nil)
    _ = try LogRewriter(log).erase(Erasure(units: ["u-7"]))
    #expect(try find(path, "auto", history) == nil)
    let empty = folder.path("other.log")
    try LogWriter(empty).commit()
    #expect(history.find(path, settings: "auto", in: try LogReader(empty)) == nil)
  }

  @Test("the notes are read back as they were; what is not notes is none")
  func json() throws {
    let path = try folder.write(line("u"), "a.jsonl")
    let history = try imported(path)
    let again = try #require(ImportHistory(history.bytes))
    #expect(again.files == history.files)
    #expect(again.key == history.key)
    for count in 0..<history.bytes.count - 1 {
      #expect(ImportHistory(Array(history.bytes[..<count])) == nil)
    }
    #expect(ImportHistory(Array("{}".utf8)) == nil)
    #expect(ImportHistory(Array(#"{"version":2,"key":"","files":[]}"#.utf8)) == nil)
  }
}
