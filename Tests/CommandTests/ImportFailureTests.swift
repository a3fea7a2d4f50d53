import Foundation
import TestSupport
import Testing

@Suite("import of bad input")
struct ImportFailureTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var hasLog: Bool { FileManager.default.fileExists(atPath: log) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func add(_ inputs: String...) throws -> CommandResult {
    try Command.run(["import"] + inputs + ["--log", log])
  }

  @Test("a gzip file that is cut off: members before the cut are stored, the whole completes it")
  func truncatedGzip() throws {
    let lines = Samples.heavyDecisions(4_000, seed: 1)
    let first = Gzip.member(Array(lines.prefix(1_000).text.utf8))
    let whole = first + Gzip.member(Array(lines.dropFirst(1_000).text.utf8))
    let cut = (first.count + whole.count) / 2
    let path = try folder.write(Array(whole.prefix(cut)), "a.jsonl.gz")
    expectFailure(
      try add(path), 65, says: "\(path): the gzip file is cut off after \(cut)", "fetch it again",
      "its first member is whole and was read", "everything before it is stored")
    #expect(try Command.events(log) == Array(lines.prefix(1_000)))

    let mended = try add(try folder.write(whole, "a.jsonl.gz"))
    expectDone(mended)
    #expect(mended.messages.contains("duplicates 1000"))
    #expect(try Command.events(log) == lines)
  }

  @Test("a gzip file of one member that is cut off leaves nothing, not even a log")
  func truncatedMember() throws {
    let whole = Gzip.member(Array(Samples.heavyDecisions(4_000, seed: 1).text.utf8))
    let path = try folder.write(Array(whole.prefix(whole.count / 2)), "a.jsonl.gz")
    expectFailure(
      try add(path), 65, says: "\(path): the gzip file is cut off after \(whole.count / 2)")
    #expect(!hasLog)
  }

  @Test("broken JSON in the middle: the lines before it are stored, the place is named")
  func brokenJSON() throws {
    var lines = Samples.decisions(0..<9)
    let offset = Array(lines[..<5].text.utf8).count
    let good = lines[5]
    lines[5] = String(good.dropLast(30))
    let path = try folder.write(lines.text, "a.jsonl")
    let result = try add(path)
    expectFailure(
      result, 65, says: "\(path): line 6 (byte ", "fix the line and import the file again",
      "--on-error skip", "read 6 records, appended 5 events, duplicates 0, rejected 1")
    let place = result.messages.firstMatch(of: /line 6 \(byte (\d+)\)/).flatMap { Int($0.1) }
    #expect(place.map { (offset...offset + good.utf8.count).contains($0) } == true)
    #expect(try Command.events(log) == Array(lines[..<5]))

    lines[5] = good
    expectDone(try add(try folder.write(lines.text, "a.jsonl")))
    #expect(try Command.events(log) == lines)
  }

  @Test(
    "a row with another number of columns than the header ends the import of an Open Bandit file")
  func columnCount() throws {
    var rows = Samples.openBandit([(1, 4, 0), (3, 2, 0), (2, 2, 0)])
      .split(separator: "\n").map(String.init)
    rows[2] += ",1"
    let path = try folder.write(rows.text, "men.csv")
    expectFailure(
      try add(path), 65, says: "\(path): line 3 (byte ", "7 fields", "6", "--on-error skip")
    #expect(try Command.events(log).count == 1)
  }

  @Test(
    "an input whose format nobody knows makes no log, and says what to do",
    arguments: [
      ("hello\n", "--format jsonl --on-error skip"),
      ("time,user,value\n1,2,3\n", "it is not snowplow: no field \"collector_tstamp\""),
      ("time,user,value\n1,2,3\n", "bandolier import --suggest"),
      (#"{"event":"x"}"#, "--map"),
    ])
  func unknownFormat(text: String, remedy: String) throws {
    let path = try folder.write(text, "input")
    expectFailure(try add(path), 65, says: "\(path): cannot tell the format: ", remedy)
    #expect(!hasLog)
  }

  @Test("an import that fails at its first record makes no log")
  func firstRecord() throws {
    let path = try folder.write(#"{"type":"goal","time":"soon"}"# + "\n", "a.jsonl")
    expectFailure(try add(path), 65, says: "\(path): line 1 (byte ", "appended 0 events")
    #expect(!hasLog)
  }

  @Test("a folder without files and a missing file make no log and are named")
  func folderAndMissing() throws {
    expectFailure(try add(folder.path), 66, says: "\(folder.path): the folder has no files")
    let missing = folder.path("missing.jsonl")
    expectFailure(try add(missing), 66, says: "\(missing): there is no such file; check the path")
    #expect(!hasLog)
  }

  @Test("when a later input is missing, the inputs before it are stored and counted")
  func laterMissing() throws {
    let lines = Samples.decisions(0..<4)
    let path = try folder.write(lines.text, "a.jsonl")
    let missing = folder.path("b.jsonl")
    expectFailure(try add(path, missing), 66, says: missing, "appended 4 events")
    #expect(try Command.events(log) == lines)
  }

  @Test("a folder that holds other files is no log and stays as it is")
  func foreignFolder() throws {
    let path = try folder.write(Samples.decisions(0..<4).text, "a.jsonl")
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    _ = try folder.write("photo", "log/photo.jpg")
    expectFailure(try add(path), 65, says: "\(log): the folder has other files but no log")
    #expect(try FileManager.default.contentsOfDirectory(atPath: log) == ["photo.jpg"])
    expectFailure(try Command.run("log cat \(log)"), 65, says: "the folder has other files")
  }

  @Test("a plain file is no log and stays as it is")
  func plainFile() throws {
    let path = try folder.write(Samples.decisions(0..<4).text, "a.jsonl")
    _ = try folder.write("notes", "log")
    expectFailure(try add(path), 65, says: "\(log): ", "name the folder of a log")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "notes")
    expectFailure(
      try Command.run("report rewards \(log)"), 65, says: log, "name the folder of a log")
  }

  @Test("a log in a folder that is not there cannot be created")
  func missingParent() throws {
    let path = try folder.write(Samples.decisions(0..<4).text, "a.jsonl")
    expectFailure(
      try Command.run("import \(path) --log \(folder.path("no/such/log"))"), 73,
      says: folder.path("no/such/log"), "make the folder above it first")
  }

  @Test("an unknown word for --format is a mistake of usage that lists the words there are")
  func wrongFormat() throws {
    let path = try folder.write(Samples.decisions(0..<4).text, "a.jsonl")
    expectFailure(
      try Command.run("import \(path) --log \(log) --format parquet"), 64,
      says: "parquet", #""auto", "amplitude""#)
    #expect(!hasLog)
  }
}
