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
    "anything else is an error that says what it looks like and which formats there are",
    arguments: [
      ("", "the input is empty"), (" \n\t\r\n", "the input is empty"),
      (#"{"_label_cost":-1,"a":[1]}"#, "Decision Service JSON"),
      (#"{"RewardValue":1,"EventId":"x"}"#, "Decision Service JSON"),
      (#"{"event":"x","properties":{"type":1}}"#, #"keys "event", "properties" and no "type""#),
      ("{oops", "without members"), ("[{\"type\":1}]", "JSON array"),
      ("time,user,value\n1,2,3", #"CSV with the columns "time", "user", "value""#),
      ("item_id,position,click\n", "CSV with the columns"),
      ("hello world", #"its first line is "hello world""#), ("PAR1\u{1}", "Parquet"),
      ("SQLite format 3\u{0}", "SQLite"), ("a\u{0}b", "binary"),
    ])
  func unknown(text: String, seen: String) throws {
    let error = #expect(throws: ImportError.self) { try detect(text) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.description.contains(seen) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("--format (known: jsonl, obd)") == true)
    #expect(error?.description.contains("input.csv") == true)
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
