import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Formats")
struct FormatCatalogTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func detect(
    _ bytes: [UInt8], _ formats: FormatCatalog = .standard
  ) throws -> String {
    var source = try ByteSource(path: directory.write(bytes, "input.csv"))
    let offset = source.offset
    let format = try formats.recognize(&source)
    #expect(source.offset == offset)
    return format.type.info.name
  }

  private func detect(_ text: String) throws -> String {
    try detect(Array(text.utf8))
  }

  @Test(
    "JSON Lines: an object with the key \"type\", behind blank lines, a byte order mark or gzip")
  func jsonLines() throws {
    let line = #"{"unit":"}\"","context":{"type":1},"n":[{"a":1}],"type":"goal"}"#
    #expect(try detect(line) == "jsonl")
    #expect(try detect("\u{FEFF} \r\n\n  \(line)\n{") == "jsonl")
    #expect(try detect(Gzip.member(Array(line.utf8))) == "jsonl")
    let blank = String(repeating: "\n", count: 900_000)
    #expect(try detect(blank + line) == "jsonl")
  }

  @Test("Open Bandit: a header with item, position, click and either name of the propensity")
  func openBandit() throws {
    #expect(try detect(",timestamp,item_id,position,click,propensity_score\n") == "obd")
    #expect(try detect("action_prob,click,position,item_id") == "obd")
    #expect(
      try detect("\u{FEFF}\"item_id\",\"position\",click,\"action_prob\"\r\n1,2") == "obd")
  }

  @Test("an input without a line that is not blank is JSON Lines", arguments: ["", " \n\t\r\n"])
  func empty(text: String) throws {
    #expect(try detect(text) == "jsonl")
  }

  @Test(
    "anything else is an error that says what it looks like and what to do",
    arguments: [
      (
        #"{"event":"x","properties":{"type":1}}"#,
        #"keys "event", "properties"; it is not"#,
        "--map"
      ), ("{oops", "without members", "--format jsonl --on-error skip"),
      ("[1,2]", "without an object", "--format jsonl --on-error skip"),
      (
        "time,user,value\n1,2,3", #"CSV with the columns "time", "user", "value"; it is not "#,
        "--map"
      ),
      (
        "item_id,position,click\n", "CSV with the columns",
        #"it is not obd: no column "propensity_score" or "action_prob""#
      ),
      ("hello world", #"its first line is "hello world""#, "--format jsonl --on-error skip"),
      ("PAR1\u{1}", "Parquet", "python3"), ("SQLite format 3\u{0}", "SQLite", "JSON Lines"),
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
    arguments: ["{oops\n", "hello world\n"])
  func advice(text: String) throws {
    let error = #expect(throws: ImportError.self) { try detect(text) }
    let advice = try #require(error?.description.firstMatch(of: /--format ([a-z]+)/))
    let format = try FormatCatalog.standard.named(String(advice.output.1))
    var source = try Importer(format: format).open(directory.write(text, "again.jsonl"))
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

  @Test("formats have names and parameters, and errors list them")
  func named() throws {
    let formats = FormatCatalog.standard
    for format in formats.formats {
      #expect(type(of: try formats.named(format.info.name)) == format)
    }
    #expect(formats.exported.map { $0.info.name } == ["dsjson", "jsonl", "obd", "vw"])
    #expect((try formats.named("obd:items=a.csv") as? OpenBandit)?.items == "a.csv")
    for (text, part) in [
      ("xml", #"unknown format "xml"; available: "#),
      ("json", "did you mean \"jsonl\"?"),
      ("obd:item=a", "did you mean \"items\"?"), ("jsonl:items=a", "it takes none"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try formats.named(text) }
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
    let error = #expect(throws: SpecificationError.self) {
      try Importer(Specification("xml"))
    }
    #expect(error?.description.contains(#"available: "auto", "#) == true)
  }

  @Test("a format of the same name replaces one, and an input that two formats recognize is named")
  func adding() throws {
    for format in FormatCatalog.standard.formats {
      let made = try FormatCatalog.standard.named(format.info.example)
      #expect(type(of: made) == format, "\(format.info.example)")
    }
    let line = Array(#"{"type":"goal","user":"u"}"#.utf8)
    let other = FormatCatalog.standard.adding(Tracks.self)
    let standard = FormatCatalog.standard.all.map(\.name)
    #expect(other.all.map(\.name) == (standard + ["tracks"]).sorted())
    #expect(other.adding(Tracks.self).all.count == standard.count + 1)
    #expect(try detect(line) == "jsonl")
    let error = #expect(throws: ImportError.self) { try detect(line, other) }
    #expect(
      error?.description.contains(#"jsonl (the key "type") and tracks (the keys "type", "user")"#)
        == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("--format") == true)
  }
}

/// A format whose lines are also those of another.
private struct Tracks: ImportFormat {
  static let info = SpecificationInfo("tracks", "tracked events", source: "none")
  static let recognition = "the keys type and user"

  init() {}

  static func match(_ sample: InputSample) -> FormatMatch { sample.match(keys: "type", "user") }

  func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    try JSONLines().open(input)
  }
}
