import Events
import TestSupport
import Testing

@testable import Interchange

/// Inputs that no system should write, which must be rejected or read right, and in time that grows with their length.
@Suite("Strange and hostile inputs")
struct HostileInputTests {
  private func call(_ rest: String, event: String = #""Buy""#, user: String = #""u""#) -> String {
    #"{"type":"track","messageId":"m","userId":\#(user),"event":\#(event),"timestamp":"2026-01-05T10:00:00Z"\#(rest)}"#
  }

  private func metadata(_ files: ImportedFiles) throws -> Attributes {
    guard case .conversion(let conversion)? = files.events.first?.payload else {
      throw ImportError(.badData, "no conversion: \(files.summary.rejections)")
    }
    return try #require(conversion.metadata)
  }

  private func imported(_ text: String) throws -> ImportedFiles {
    try ImportedFiles(("log", text), format: "segment")
  }

  @Test("an object with 100,000 keys becomes 100,000 attributes")
  func manyKeys() throws {
    let members = (0..<100_000).map { #""key\#($0)":\#($0)"# }.joined(separator: ",")
    let files = try imported(call(#","properties":{\#(members)}"#))
    let metadata = try metadata(files)
    #expect(metadata.entries.count == 100_000)
    #expect(metadata["properties.key99999"] == .number(99_999))
  }

  @Test("nesting is followed as deep as JSON may be, and rejected beyond")
  func nesting() throws {
    let nested = { (depth: Int) in
      String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }
    let files = try imported(call(#","properties":\#(nested(63))"#))
    let name = "properties" + String(repeating: ".a", count: 63)
    #expect(try metadata(files)[name] == .number(1))
    for depth in [65, 100_000] {
      let files = try imported(call(#","properties":\#(nested(depth))"#))
      #expect(files.summary.rejections.map(\.category) == [.json], "\(depth)")
    }
  }

  @Test("a long name over many fields is rejected before it fills the memory")
  func longNames() throws {
    let name = String(repeating: "n", count: 1 << 20)
    let members = (0..<2_000).map { #""\#($0)":1"# }.joined(separator: ",")
    let files = try imported(
      call(#","properties":{"\#(name)":{\#(members)}}"#) + "\n" + call(#","x":1"#))
    #expect(files.summary.rejections.map(\.category) == [.event])
    // Nothing of the rejected record is left in the next.
    #expect(try metadata(files).entries.count == 1)
  }

  @Test("a row with 100,000 columns, each of them mapped by its name")
  func manyColumns() throws {
    let names = (0..<100_000).map { "c\($0)" }
    let text =
      "t,u,v," + names.joined(separator: ",") + "\n2026-01-05,1,a,"
      + (0..<100_000).map { $0 % 2 == 0 ? "\($0)" : "" }.joined(separator: ",") + "\n"
    let mapping = try EventMapping(
      ["time=t", "unit=u", "variant=v"] + names.map { "context.\($0)=\($0)" })
    let files = try ImportedFiles(("wide.csv", text), mapping: mapping)
    guard case .decision(let decision)? = files.events.first?.payload else {
      Issue.record("no decision")
      return
    }
    #expect(decision.context?.entries.count == 50_000)
    #expect(decision.context?["c99998"] == .number(99_998))
  }

  @Test("a suggestion for 100,000 columns")
  func manySuggested() throws {
    let folder = try TemporaryFolder()
    let names = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
    let sample = try Importer().sample(folder.write("timestamp,\(names),user_id\n"))
    let suggestion = try #require(MappingSuggestion(sample))
    #expect(suggestion.lines.count == 100_002)
    #expect(suggestion.lines.prefix(2).map(\.column) == ["timestamp", "user_id"])
  }

  @Test("columns of a wide table are found by name, empty ones and JSON in them too")
  func wideTable() throws {
    let names = (0..<80).map { "c\($0)" }.joined(separator: ",")
    let empty = String(repeating: ",", count: 80)
    let text = """
      t,u,\(names),props,v
      2026-01-05,001\(empty),"{""plan"":""pro"",""v"":""x""}",a
      2026-01-05,002\(empty),,b
      """
    let imported = try Imported(
      text, name: "wide.csv",
      mapping: EventMapping([
        "time=t", "unit=u", "variant=v", "context.plan=props.plan", "context.c3=c3",
      ]))
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"001","experiment":"wide","variant":"a","context":{"plan":"pro"}}"#,
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"002","experiment":"wide","variant":"b"}"#,
      ])
  }

  @Test("numbers: NaN, infinity and what is beyond a double are no revenue")
  func numbers() throws {
    for number in [#""NaN""#, #""inf""#, #""-Infinity""#, #""1e400""#, #""0x10""#, "{}", "true"] {
      let files = try imported(call(#","properties":{"revenue":\#(number)}"#))
      #expect(files.summary.rejections.map(\.category) == [.number], "\(number)")
    }
    for number in ["NaN", "Infinity", "01", "+1", ".5", "1."] {
      let files = try imported(call(#","properties":{"revenue":\#(number)}"#))
      #expect(files.summary.rejections.map(\.category) == [.json], "\(number)")
    }
  }

  @Test("no digit of an integer is lost, and no other number becomes a text")
  func longIntegers() throws {
    let files = try imported(
      call(
        #","a":9007199254740993,"b":-9223372036854775808,"c":9223372036854775808,"d":123456789012345678901234567890,"e":1e30,"f":9007199254740992,"g":12345678901234567890.5"#
      ))
    let metadata = try metadata(files)
    #expect(metadata["a"] == .integer(9_007_199_254_740_993))
    #expect(metadata["b"] == .integer(.min))
    #expect(metadata["c"] == .text("9223372036854775808"))
    #expect(metadata["d"] == .text("123456789012345678901234567890"))
    #expect(metadata["e"] == .number(1e30))
    #expect(metadata["f"] == .number(9_007_199_254_740_992))
    #expect(metadata["g"] == .number(12_345_678_901_234_567_890.5))
  }

  @Test("times that no clock shows are rejected, without a trap")
  func times() throws {
    for time in [
      #""NaN""#, #""99999999999999999999""#, "1e300", "-1e18", "9223372036854775807", "{}", "[]",
      #""""#, #""2026-13-01""#, #""0000-00-00 00:00:00""#, "true", "null",
    ] {
      let files = try imported(
        #"{"type":"track","messageId":"m","userId":"u","event":"e","timestamp":\#(time)}"#)
      let found = files.summary.rejections.map(\.category)
      #expect(found == [.time] || files.events.count == 1, "\(time)")
      if time != "9223372036854775807" && time != "-1e18" {
        #expect(found == [.time], "\(time)")
      }
    }
  }

  @Test("empty units, goals, experiments and variants are no names")
  func emptyNames() throws {
    let unit = try imported(call("", user: #""""#))
    #expect(unit.summary.rejections.map(\.category) == [.placeholder])
    for line in [
      call("", event: #""""#),
      call(
        #","properties":{"experiment_id":"","variation_id":"a"}"#, event: #""Experiment Viewed""#),
      call(
        #","properties":{"experiment_id":"e","variation_id":""}"#, event: #""Experiment Viewed""#),
    ] {
      let files = try imported(line)
      #expect(files.summary.rejections.map(\.category) == [.event], "\(line)")
    }
  }

  @Test("a member without a name keeps its value; a name twice is rejected, also where the first was read")
  func names() throws {
    let files = try imported(call(#","":{"":1,"a":2}"#))
    let metadata = try metadata(files)
    #expect(metadata.entries.count == 2)
    #expect(metadata["a"] == .number(2))
    #expect(try imported(call(#","x":1,"x":2"#)).summary.rejections.map(\.category) == [.event])
    #expect(
      try imported(call(#","x.y":1,"x":{"y":2}"#)).summary.rejections.map(\.category) == [.event])
    #expect(try imported(call(#","userId":"v""#)).summary.rejections.map(\.category) == [.event])
  }

  @Test("bytes that are not UTF-8 are rejected, NUL bytes are texts like any")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let mapping = try EventMapping(["time=t", "unit=u", "variant=v"])
    var importer = Importer()
    importer.mapping = mapping
    for (text, isValid) in [
      ([0x61], true), ([0x00], true), ([0xFF], false), ([0xC3], false),
      ([0xED, 0xA0, 0x80], false),
      ([0xC0, 0x80], false), ([0xF4, 0x90, 0x80, 0x80], false),
    ] as [([UInt8], Bool)] {
      let csv = Array("t,u,v\n2026-01-05,u".utf8) + text + Array(",a\n".utf8)
      let json = Array(#"{"t":"2026-01-05","v":"a","u":"u"#.utf8) + text + Array("\"}\n".utf8)
      for (bytes, name) in [(csv, "a.csv"), (json, "a.json")] {
        var source = try importer.open(folder.write(bytes, name))
        var record = ImportedRecord()
        let step = try source.next(&record)
        // JSON has control characters in texts escaped.
        let isAccepted = isValid && !(name == "a.json" && text == [0])
        if case .record = step {
          #expect(isAccepted, "\(name) \(text)")
          #expect(record.events[0].string(.unit) == String(decoding: [0x75] + text, as: UTF8.self))
        } else {
          #expect(!isAccepted, "\(name) \(text)")
        }
      }
    }
    let files = try imported(call("", user: #""a\u0000b""#))
    #expect(files.events.first?.unit == "a\u{0}b")
    #expect(
      try imported(call("", user: #""\ud800""#)).summary.rejections.map(\.category) == [.json])
  }
}
