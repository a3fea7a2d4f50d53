import Events
import Testing

/// A bad line: what stands before the fault, the rest of the line, and a part of the reason.
struct BadLine: CustomTestStringConvertible, Sendable {
  var before: String
  var rest: String
  var reason: String

  init(_ before: String, _ rest: String, _ reason: String) {
    (self.before, self.rest, self.reason) = (before, rest, reason)
  }

  var testDescription: String { before + "⟨here⟩" + rest }
}

@Suite("Errors of JSON Lines")
struct JSONLineErrorTests {
  static let goal = #"{"type":"goal","time":0,"unit":"u","experiment":"e","goal":"g","#
  static let decision = #"{"type":"decision","time":0,"unit":"u","experiment":"e","variant":"v","#

  static let objects: [BadLine] = [
    BadLine("", "", "expected '{', which begins an event, found the end of the line"),
    BadLine("", "[]", "expected '{'"), BadLine("  ", "null", "found 'n'"),
    BadLine("", "\u{FEFF}{}", "found the byte 0xEF"), BadLine("{", "", "a key in double quotes"),
    BadLine("", "{}", "must have \"type\", which is one of decision, goal"),
    BadLine("", #"{"time":0,"unit":"u"}"#, "must have \"type\""),
    BadLine("{", "a:1}", "expected a key in double quotes, found 'a'"),
    BadLine("{", "'type':1}", "expected a key"), BadLine(#"{"type""#, "}", "expected ':'"),
    BadLine(#"{"type":"#, #""visit"}"#, "unknown \"type\"; it must be one of decision, goal"),
    BadLine(#"{"type":"#, "1}", "unknown \"type\""), BadLine(#"{"type":"#, "null}", "unknown"),
    BadLine(#"{"type":"#, #""goa\u006d"}"#, "unknown \"type\""),
    BadLine(#"{"type":"goal" "#, #""time":0}"#, "expected ',' or '}', found '\"'"),
    BadLine(#"{"type":"goal","#, "}", "a comma stands before '}'; remove the comma"),
    BadLine(#"{"type":"goal","#, ",}", "expected a key"),
    BadLine(#"{"type":"goal""#, "", "found the end of the line; is the line cut off?"),
    BadLine(#"{"type":"goal","x":1"#, "]", "expected ',' or '}'"),
    BadLine(#"{"type":"sessionExpired","time":0,"unit":""}"#, ",", "the end of the line after '}'"),
    BadLine(#"{"type":"sessionExpired","time":0,"unit":""} "#, "{}", "the end of the line"),
    BadLine(#"{"type":"goal","#, #""type":"goal"}"#, "\"type\" occurs twice"),
    BadLine(#"{"variant":1,"type":"goal","#, #""vari\u0061nt":1}"#, "\"variant\" occurs twice"),
    BadLine(#"{"unit":"u","#, #""unit":"u"}"#, "\"unit\" occurs twice"),
  ]

  static let fields: [BadLine] = [
    BadLine(
      "", #"{"type":"goal","unit":"u","experiment":"e","goal":"g"}"#, "a goal must have \"time\""),
    BadLine("", #"{"type":"goal","time":0,"experiment":"e","goal":"g"}"#, "must have \"unit\""),
    BadLine("", #"{"type":"goal","time":0,"unit":"u","goal":"g"}"#, "must have \"experiment\""),
    BadLine("", #"{"type":"dataPoint","time":0,"unit":"u"}"#, "a dataPoint must have \"kind\""),
    BadLine("", #"{"type":"conversion","time":0,"unit":"","goal":"g"}"#, "\"unit\" is empty"),
    BadLine("", #"{"type":"conversion","time":0,"unit":null,"goal":"g"}"#, "must have \"unit\""),
    BadLine("", #"{"type":"goal","time":null}"#, "must have \"time\""),
    BadLine(#"{"type":"goal","time":"#, #""2026-01-02T03:04:05"}"#, "ISO 8601 with an offset"),
    BadLine(#"{"type":"goal","time":"#, #""2026-02-30T03:04:05Z"}"#, "ISO 8601"),
    BadLine(#"{"type":"goal","time":"#, "9300000000000000000}", "in the years 0001 to 9999"),
    BadLine(#"{"type":"goal","time":"#, "1e400}", "ISO 8601"),
    BadLine(#"{"type":"goal","time":"#, "[]}", "ISO"),
    BadLine(#"{"type":"goal","unit":"#, "1.5}", "\"unit\" must be a text or a whole number"),
    BadLine(#"{"type":"goal","unit":"#, "1e2}", "put it in double quotes"),
    BadLine(#"{"type":"goal","unit":"#, "true}", "or a whole number for \"unit\", found 't'"),
    BadLine(goal + #""reason":"#, "1}", "expected a text in double quotes for \"reason\""),
    BadLine(goal + #""value":"#, #""1"}"#, "expected a number for \"value\""),
    BadLine(goal + #""value":"#, "1e309}", "\"value\" is too large for a number"),
    BadLine(goal + #""status":"#, #""lost"}"#, "\"status\" must be one of confirmed"),
    BadLine("", goal + #""status":"repeated"}"#, "does not belong to a goal"),
    BadLine(decision + #""choices":"#, #"{}}"#, "expected a list for \"choices\""),
    BadLine(decision + #""choices":["a","#, "null]}", "for \"choices\", found 'n'"),
    BadLine(decision + #""choices":["a","#, "]}", "a comma stands before ']'"),
    BadLine(decision + #""probabilities":[0.5,"#, "-1e999]}", "too large"),
    BadLine(
      "", decision + #""choices":["a"],"probabilities":[]}"#, "0 probabilities for 1 choices"),
    BadLine(decision + #""context":"#, "[]}", "in \"context\", found '['"),
    BadLine(decision + #""context":{"a":"#, "null}}", "for attribute \"a\", found 'n'"),
    BadLine(decision + #""context":{"a\n":"#, "[1]}}", #"for attribute "a\n", found '['"#),
    BadLine(decision + #""context":{"a":1,"b":"#, "18446744073709551615}}", "attribute \"b\" is too large"),
    BadLine(decision + #""context":{"b":"#, "-9223372036854775809}}", "attribute \"b\" is too large"),
    BadLine(decision + #""context":{"a":1,"b":"#, "1e999}}", "attribute \"b\" is too large"),
    BadLine(decision + #""context":{"a":1,"#, #""\u0061":2}}"#, "\"a\" occurs twice"),
    BadLine(decision + #""features":{"v":"#, "1}}", "in \"features\", found '1'"),
    BadLine(decision + #""features":{"v":{},"#, #""v":{}}}"#, "\"v\" occurs twice"),
    BadLine(decision + #""features":{"v":{"a":1,"#, #""a":1}}}"#, "\"a\" occurs twice"),
    BadLine(#"{"type":"conversion","negative":"#, "0}", "expected true or false for \"negative\""),
    BadLine(#"{"type":"dataPoint","value":"#, "{}}", "true or false for \"value\""),
  ]

  static let tokens: [BadLine] = [
    BadLine(goal + #""value":"#, "01}", "remove the leading zeros"),
    BadLine(goal + #""value":"#, "-00}", "remove the leading zeros"),
    BadLine(goal + #""value":-"#, "}", "expected a digit after the minus sign, found '}'"),
    BadLine(goal + #""value":1."#, "}", "expected a digit after the decimal point"),
    BadLine(goal + #""value":1e+"#, "}", "expected a digit in the exponent"),
    BadLine(goal + #""value":"#, "NaN}", "expected a number"),
    BadLine(goal + #""value":"#, "+1}", "found '+'"),
    BadLine(goal + #""value":"#, ".5}", "expected a number"),
    BadLine(goal + #""value":1"#, "x}", "found 'x'"),
    BadLine(goal + #""x":"#, "NaN}", "a JSON value"),
    BadLine(goal + #""x":"#, "truE}", "a JSON value"),
    BadLine(goal + #""x":"#, "}", "a JSON value"),
    BadLine(goal + #""x":[1,"#, "]}", "remove the comma"),
    BadLine(goal + #""x":[1"#, "}}", "expected ',' or ']'"),
    BadLine(goal + #""x":{"a""#, ",1}}", "expected ':'"),
    BadLine(goal + #""x":"# + String(repeating: "[", count: 64), "[", "nested more than 64 deep"),
    BadLine(goal + #""x":"#, "\"abc", "is not closed"),
    BadLine(goal + #""x":"#, "\"abc\\\"}", "is not closed"),
    BadLine(goal + #""x":"a"#, "\tb\"}", "control character"),
    BadLine(goal + #""x":"0123456789"#, "\u{0}\"}", "control"),
    BadLine(goal + #""x":"é"#, "\n\"}", "control character"),
    BadLine(goal + #""x":"a"#, #"\x"}"#, "a backslash must be followed by"),
    BadLine(goal + #""x":"a"#, #"\u12G4"}"#, "four hexadecimal digits"),
    BadLine(goal + #""x":"a"#, #"\u123"}"#, "four hexadecimal"),
    BadLine(goal + #""x":""#, #"\ud800"}"#, "half a surrogate pair"),
    BadLine(goal + #""x":""#, #"\ud800\u0041"}"#, "half a surrogate pair"),
    BadLine(goal + #""x":""#, #"\udc00\ud800"}"#, "half a surrogate pair"),
    BadLine(goal + #""x":""#, "\\", "a backslash"),
    BadLine("{\"pre\":\"", #"\ud800","type":"goal"}"#, "half a surrogate"),
  ]

  @Test("name the location and the remedy", arguments: objects + fields + tokens)
  func badLine(_ line: BadLine) throws {
    let error = try #require(throws: JSONLineError.self) {
      try Event(jsonLine: line.before + line.rest)
    }
    #expect(error.offset == line.before.utf8.count, "\(error)")
    #expect(error.reason.contains(line.reason), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "report bytes that are not UTF-8",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x22],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    for padding in 0..<10 {
      let before = Array((Self.goal + "\"x\":\"" + String(repeating: "a", count: padding)).utf8)
      for after in ["", "\"}", "bcdefghijk\"}"] {
        let line = before + bytes + Array(after.utf8)
        let error = try #require(throws: JSONLineError.self) {
          try decoder.decode(line.span, into: &record)
        }
        #expect(error.offset == before.count && error.reason.contains("UTF-8"), "\(error)")
      }
    }
  }

  @Test("accept 64 levels of nesting in preserved JSON")
  func deepest() throws {
    let value = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    let event = try Event(jsonLine: Self.goal + "\"x\":" + value + "}")
    #expect(event.unknownFields.text == "\"x\":" + value)
  }
}
