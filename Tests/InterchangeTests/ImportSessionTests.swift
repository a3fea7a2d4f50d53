import Events
import TestSupport
import Testing

@testable import Interchange

/// A log in memory that remembers what was committed.
private final class MemoryLog: RecordAppender {
  private(set) var events: [Event] = []
  private(set) var committed = 0
  private(set) var commits = 0
  var failsAt = Int.max

  struct Full: Error {}

  func append(_ record: EventRecord) throws {
    guard events.count < failsAt else { throw Full() }
    events.append(try Event(record))
  }

  func commit() {
    committed = events.count
    commits += 1
  }

  /// A filter that knows what is committed, as the next command would make it.
  func filter(_ directory: TemporaryFolder) throws -> DuplicateFilter {
    let filter = DuplicateFilter(directory: directory.path, memoryCapacity: 100)
    var record = EventRecord()
    for event in events.prefix(committed) {
      try record.load(event)
      try filter.addKnown(record)
    }
    return filter
  }
}

@Suite("Import session")
struct ImportSessionTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func line(_ unit: String, id: String? = nil) -> String {
    let id = id.map { #""id":"\#($0)","# } ?? ""
    return
      #"{"type":"goal",\#(id)"time":"2026-01-02T03:04:05Z","unit":"\#(unit)","experiment":"e","goal":"g"}"#
  }

  private func session(
    _ log: MemoryLog, onError: ImportSession.ErrorPolicy = .stop, rejects: RejectsWriter? = nil
  ) throws -> ImportSession {
    ImportSession(filter: try log.filter(directory), onError: onError, rejects: rejects)
  }

  /// Imports texts as files of one command.
  @discardableResult
  private func run(
    _ texts: [String], into log: MemoryLog, onError: ImportSession.ErrorPolicy = .stop,
    rejects: RejectsWriter? = nil
  ) throws -> ImportSummary {
    let session = try session(log, onError: onError, rejects: rejects)
    for (index, text) in texts.enumerated() {
      var source = try Importer(format: JSONLines())
        .open(directory.write(text, "part-\(index).jsonl"))
      try session.run(&source, into: log)
    }
    return session.summary
  }

  @Test(
    "the same file twice adds nothing, in one command or in two; two equal lines are two events")
  func idempotence() throws {
    let log = MemoryLog()
    let text = [line("a"), line("b"), line("a"), ""].joined(separator: "\n")
    let first = try run([text, text], into: log)
    #expect(first.eventsAppended == 3)
    #expect(first.alreadyThere == 3)
    #expect(first.recordsRead == 6)
    #expect(first.textBytes == Int64(2 * text.utf8.count))
    let second = try run([text], into: log)
    #expect(second.eventsAppended == 0)
    #expect(second.alreadyThere == 3)
    #expect(log.events.map(\.unit) == ["a", "b", "a"])
  }

  @Test("a second file that overlaps adds only the rest")
  func overlap() throws {
    let log = MemoryLog()
    try run([[line("a"), line("b"), line("b")].joined(separator: "\n")], into: log)
    let rest = [line("b"), line("b"), line("b"), line("c"), line("a")].joined(separator: "\n")
    #expect(try run([rest], into: log).eventsAppended == 2)
    #expect(log.events.map(\.unit) == ["a", "b", "b", "b", "c"])
  }

  @Test("an id seen twice with the same content is one event, in one file, in two, and in the log")
  func ids() throws {
    let log = MemoryLog()
    let text = [line("a", id: "1"), line("a", id: "1"), line("c", id: "2")].joined(separator: "\n")
    #expect(try run([text, line("c", id: "2")], into: log).alreadyThere == 2)
    #expect(try run([line("a", id: "1")], into: log).alreadyThere == 1)
    #expect(log.events.map(\.unit) == ["a", "c"])
    let other = try run([line("e", id: "1")], into: log)
    #expect(other.alreadyThere == 0 && other.differingKept == 1)
    #expect(log.events.map(\.unit) == ["a", "c", "e"])
  }

  @Test("stop: commits events before the invalid line; the error gives its position")
  func stop() throws {
    let log = MemoryLog()
    let text = { (fourth: String) in
      [line("a"), "", line("b"), fourth, line("c")].joined(separator: "\n")
    }
    let broken = text(#"{"type":"go"#)
    let offset = Int64(line("a").utf8.count + line("b").utf8.count + 3)
    let error = #expect(throws: ImportError.self) { try run([broken], into: log) }
    #expect(error?.code == .rejectedRecord)
    let message = error?.description ?? ""
    #expect(message.contains("part-0.jsonl: line 4 (byte "))
    #expect((offset..<offset + 12).contains { message.contains("(byte \($0))") })
    #expect(message.contains("everything before it is stored"))
    #expect(message.contains("--on-error skip"))
    #expect(log.committed == 2)
    #expect(log.events.count == 2)

    #expect(try run([text(line("x"))], into: log).eventsAppended == 2)
    #expect(log.events.map(\.unit) == ["a", "b", "x", "c"])
  }

  @Test("skip: bad lines are counted by kind and written to the rejects as they came")
  func skip() throws {
    let log = MemoryLog()
    var written = ""
    let rejects = RejectsWriter { written += String(decoding: $0, as: UTF8.self) }
    let bad = "oops, \"quoted\""
    let text = [line("a"), bad, "[1]", "", line("b")].joined(separator: "\r\n")
    let summary = try run([text], into: log, onError: .skip, rejects: rejects)
    #expect(summary.eventsAppended == 2)
    #expect(summary.recordsRead == 4)
    #expect(summary.rejected == 2)
    #expect(summary.blankLines == 1)
    #expect(summary.rejections.map(\.category) == [.json])
    #expect(summary.rejections.map(\.count) == [2])
    let rows = written.split(separator: "\n")
    #expect(rows.count == 3)
    #expect(rows[0] == "line,offset,reason,text")
    #expect(rows[1].hasPrefix("2,"))
    #expect(rows[1].hasSuffix(",\"oops, \"\"quoted\"\"\""))
    #expect(rows[2].hasPrefix("3,"))
    #expect(rows[2].hasSuffix(",[1]"))
  }

  @Test("a gzip file that is cut off: the lines of its whole members are committed, then the error")
  func truncatedGzip() throws {
    let log = MemoryLog()
    let bytes =
      Gzip.member(Array("\(line("a"))\n\(line("b"))\n".utf8))
      + Gzip.member(Array("\(line("c"))\n".utf8))
    let session = try session(log)
    var source = try Importer().open(directory.write(Array(bytes.dropLast(8)), "cut.jsonl.gz"))
    let error = #expect(throws: ImportError.self) { try session.run(&source, into: log) }
    #expect(error?.code == .truncatedGzip)
    #expect(error?.description.contains("everything before it is stored") == true)
    #expect(log.committed == 2)
    #expect(session.summary.eventsAppended == 2)
  }

  @Test("gzip of several members, CRLF and a byte order mark are one file like any other")
  func members() throws {
    let log = MemoryLog()
    let first = Gzip.member(Array("\u{FEFF}\(line("a"))\r\n{\"type\"".utf8))
    let rest = line("b").dropFirst(7)
    let second = Gzip.member(Array("\(rest)\r\n".utf8))
    var source = try Importer(format: JSONLines()).open(directory.write(first + second, "two"))
    try session(log).run(&source, into: log)
    #expect(log.events.map(\.unit) == ["a", "b"])
  }

  @Test("errors of the log are passed on, and earlier events are committed")
  func failingLog() throws {
    let log = MemoryLog()
    log.failsAt = 1
    #expect(throws: MemoryLog.Full.self) {
      try run(["\(line("a"))\n\(line("b"))\n"], into: log)
    }
    #expect(log.commits == 1)
  }

  @Test("an empty file of a named format is no records, committed once")
  func emptyFile() throws {
    let log = MemoryLog()
    #expect(try run([""], into: log) == ImportSummary())
    #expect(log.commits == 1)
  }

  @Test("progress is told for each block and at the end, with bytes of the file")
  func progress() throws {
    let log = MemoryLog()
    let text = (0..<4_000).map { line("u-\($0)") + String(repeating: " ", count: 600) }
      .joined(separator: "\n")
    var reports: [ImportSession.Progress] = []
    let session = ImportSession(filter: try log.filter(directory)) { reports.append($0) }
    var source = try Importer().open(directory.write(text))
    try session.run(&source, into: log)
    #expect((3...6).contains(reports.count))
    #expect(reports.map(\.source.fileBytes) == reports.map(\.source.fileBytes).sorted())
    #expect(reports.last?.source.fileBytes == Int64(text.utf8.count))
    #expect(reports.last?.source.totalFileBytes == Int64(text.utf8.count))
    #expect(reports.last?.recordsRead == 4_000)
  }

  @Test(
    "the published Open Bandit files: every event once, and none the second time",
    .enabled(
      if: Datasets.arePresent,
      "needs the Open Bandit files in ../shared/datasets or in the folder BANDOLIER_DATASETS"),
    arguments: [("random", 46), ("bts", 69)])
  func publishedFiles(policy: String, clicks: Int64) throws {
    let log = MemoryLog()
    let session = try session(log)
    for _ in 0..<2 {
      var source = try Importer().open(Datasets.openBandit(policy))
      try session.run(&source, into: log)
    }
    #expect(session.summary.recordsRead == 20_000)
    #expect(session.summary.eventsAppended == 10_000 + clicks)
    #expect(session.summary.alreadyThere == 10_000 + clicks)
    #expect(session.summary.rejected == 0)
  }
}
