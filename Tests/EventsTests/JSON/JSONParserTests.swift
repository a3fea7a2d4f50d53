import Events
import Foundation
import TestSupport
import Testing

@Suite("JSON values from text")
struct JSONParserTests {
  @Test(
    "values are parsed by type",
    arguments: [
      ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", -0.0), ("-7", -7),
      ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(0x1p63)),
      ("1.5e3", .number(1500)), ("\"a\\u00e9\\ud83d\\ude00\\n\"", "aé😀\n"), ("[]", []), ("{}", [:]),
      ("[1,[2,{\"a\":[]}]]", [1, [2, ["a": []]]]), ("{\"b\":1,\"a\":null}", ["a": .null, "b": 1]),
    ] as [(String, JSONValue)])
  func values(text: String, expected: JSONValue) throws {
    let value = try JSONValue(parsing: text)
    #expect(value == expected)
    #expect(try JSONValue(parsing: value.description) == expected)
  }

  @Test(
    "an error has line, column and byte offset",
    arguments: [
      ("", 1, 1, 0), ("{\n  \"a\": 1,\n}", 3, 1, 12), ("[1,\n2,,3]", 2, 3, 6), ("[1] x", 1, 5, 4),
      ("{\"a\":1,\"b\":2,\"a\":3}", 1, 14, 13), ("[1e999]", 1, 2, 1), ("{a:1}", 1, 2, 1),
      ("[1 2]", 1, 4, 3), ("\"abc", 1, 1, 0), ("// no\n1", 1, 1, 0), ("{\"a\" 1}", 1, 6, 5),
    ] as [(String, Int, Int, Int)])
  func places(text: String, line: Int, column: Int, byte: Int) {
    do throws(JSONParseError) {
      let value = try JSONValue(parsing: text)
      Issue.record("\(text) was read as \(value)")
    } catch {
      #expect((error.line, error.column, error.byte) == (line, column, byte), "\(text): \(error)")
      #expect(!error.reason.isEmpty)
    }
  }

  @Test("tolerant parsing accepts a trailing comma and comments, strict parsing does not")
  func tolerant() throws {
    let text = "/* a */ {\"a\": [1, 2, ], // b\n \"c\": {\"d\": 1,},}\n// e"
    #expect(try JSONValue(parsing: text, .tolerant) == ["a": [1, 2], "c": ["d": 1]])
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
    for bad in ["[,]", "{,}", "[1,,]", "/* open", "/", "[1 / 2]"] {
      #expect(throws: JSONParseError.self, "\(bad)") { try JSONValue(parsing: bad, .tolerant) }
    }
  }

  @Test("nesting is limited to 64")
  func nesting() throws {
    let deep = { (depth: Int) in
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSONValue(parsing: deep(64))
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: deep(65)) }
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: deep(100_000)) }
  }

  @Test("random values round-trip through text, and Foundation parses the same")
  func roundTrip() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let value = JSONValue.random(depth: 4, using: &generator)
      #expect(try JSONValue(parsing: value.description) == value, "seed \(seed)")
      let other = try JSONDecoder().decode(JSONValue.self, from: Data(value.description.utf8))
      #expect(other == value, "seed \(seed): \(value)")
    }
  }

  @Test("any bytes give a value or an error within the text")
  func hostile() {
    for seed in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var bytes = Array(JSONValue.random(depth: 3, using: &generator).description.utf8)
      for _ in 0..<1 + generator.index(3) {
        let byte = UInt8(generator.index(256))
        if bytes.isEmpty || generator.chance(0.3) {
          bytes.insert(byte, at: generator.index(bytes.count + 1))
        } else if generator.chance(0.5) {
          bytes[generator.index(bytes.count)] = byte
        } else {
          bytes.removeSubrange(generator.index(bytes.count)...)
        }
      }
      let parsing = generator.chance(0.5) ? JSONParsing.strict : .tolerant
      do throws(JSONParseError) {
        let value = try JSONValue(parsing: bytes, parsing)
        #expect((try? JSONValue(parsing: value.description)) == value, "seed \(seed)")
      } catch {
        #expect((0...bytes.count).contains(error.byte) && error.line >= 1, "seed \(seed)")
        #expect(error.column >= 1, "seed \(seed)")
      }
    }
  }
}

extension JSONValue {
  /// A random value, no deeper than the depth.
  static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    switch generator.index(depth > 0 ? 8 : 6) {
    case 0: .null
    case 1: .boolean(generator.chance(0.5))
    case 2: .integer(Int64(truncatingIfNeeded: generator.next()) >> Int64(generator.index(64)))
    case 3: .number(Double.random(in: -1e6...1e6, using: &generator))
    case 4: .number(Double.random(in: -1...1, using: &generator) * 1e300)
    case 5: .string(randomText(using: &generator))
    case 6:
      .array((0..<generator.index(4)).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      .object(
        JSONObject(
          (0..<generator.index(4)).map { _ in
            JSONObject.Member(
              name: randomText(using: &generator),
              value: random(depth: depth - 1, using: &generator))
          }))
    }
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    let letters: [Character] = [
      "a", "b", "é", "\u{65}\u{301}", "\"", "\\", "\n", "\u{1}", "😀", " ",
    ]
    return String((0..<generator.index(5)).map { _ in generator.pick(letters, or: "a") })
  }
}
