import TestSupport
import Testing

@testable import Interchange

@Suite("Format detection")
struct FormatDetectionTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func detect(_ bytes: [UInt8]) throws -> ImportFormat {
    var source = try ByteSource(path: directory.write(bytes, "input.csv"))
    let offset = source.offset
    let format = try FormatDetection.detect(&source)
    #expect(source.offset == offset)
    return format
  }

  private func detect(_ text: String) throws -> ImportFormat {
    try detect(Array(text.utf8))
  }

  @Test(
    "JSON Lines: an object with the key \"type\", behind blank lines, a byte order mark or gzip")
  func jsonLines() throws {
    let line = #"{"unit":"}\"","context":{"type":1},"n":[{"a":1}],"type":"goal"}"#
    #expect(try detect(line) == .jsonLines)
    #expect(try detect("\u{FEFF} \r\n\n  \(line)\n{") == .jsonLines)
    #expect(try detect(Gzip.member(Array(line.utf8))) == .jsonLines)
    let blank = String(repeating: "\n", count: 900_000)
    #expect(try detect(blank + line) == .jsonLines)
  }

  @Test("Open Bandit: a header with item, position, click and either name of the propensity")
  func openBandit() throws {
    #expect(try detect(",timestamp,item_id,position,click,propensity_score\n") == .openBandit)
    #expect(try detect("action_prob,click,position,item_id") == .openBandit)
    #expect(
      try detect("\u{FEFF}\"item_id\",\"position\",click,\"action_prob\"\r\n1,2") == .openBandit)
  }

  @Test(
    "anything else is an error that says what it looks like and what to do",
    arguments: [
      ("", "the input is empty", "--format jsonl"),
      (" \n\t\r\n", "the input is empty", "--format jsonl"),
      (#"{"_label_cost":-1,"a":[1]}"#, "Decision Service JSON", "JSON Lines"),
      (#"{"RewardValue":1,"EventId":"x"}"#, "Decision Service JSON", "JSON Lines"),
      (
        #"{"event":"x","properties":{"type":1}}"#, #"keys "event", "properties" and no "type""#,
        "JSON Lines"
      ), ("{oops", "without members", "--format jsonl --on-error skip"),
      ("[{\"type\":1}]", "JSON array", "one object on each line"),
      ("time,user,value\n1,2,3", #"CSV with the columns "time", "user", "value""#, "Open Bandit"),
      ("item_id,position,click\n", "CSV with the columns", "Open Bandit"),
      ("hello world", #"its first line is "hello world""#, "--format jsonl --on-error skip"),
      ("PAR1\u{1}", "Parquet", "JSON Lines"), ("SQLite format 3\u{0}", "SQLite", "JSON Lines"),
      ("PK\u{3}\u{4}", "zip", "unpack"), ("a\u{0}b", "binary", "JSON Lines"),
    ])
  func unknown(text: String, seen: String, remedy: String) throws {
    let error = #expect(throws: ImportError.self) { try detect(text) }
    #expect(error?.code == .unknownFormat)
    for part in [seen, remedy, "input.csv"] {
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
  }

  @Test(
    "what the error advises is taken: the format that it names reads the input",
    arguments: ["", "\n\n", "{oops\n", "hello world\n"])
  func advice(text: String) throws {
    let error = #expect(throws: ImportError.self) { try detect(text) }
    let advice = try #require(error?.description.firstMatch(of: /--format ([a-z]+)/))
    var source = try Importer(
      format: ImportFormat.named(String(advice.output.1)), experiment: nil, itemsPath: nil
    ) { _ in true }.open(directory.write(Array(text.utf8), "again.jsonl"))
    var (rejected, record) = (0, ImportedRecord())
    reading: while true {
      switch try source.next(&record) {
      case .rejected: rejected += 1
      case .end: break reading
      default: Issue.record("a record of \(text)")
      }
    }
    #expect(rejected == (text.contains { !$0.isNewline } ? 1 : 0))
  }

  @Test("bytes that are no text are not taken for CSV")
  func notText() {
    #expect(throws: ImportError.self) { try detect([0xFF, 0xFE, 0x61, 0x00]) }
    #expect(throws: ImportError.self) { try detect([0xC3, 0x28, 0x2C, 0x61]) }
  }

  @Test("formats have names, and an unknown name is answered with them")
  func registry() throws {
    for format in ImportFormat.all { #expect(try ImportFormat.named(format.name) == format) }
    let error = #expect(throws: ImportError.self) { try ImportFormat.named("xml") }
    #expect(error?.code == .usage)
    #expect(error?.description.contains("jsonl, obd") == true)
  }
}
