import Testing

@testable import Events

@Suite("JSON Lines encoder")
struct JSONLinesEncoderTests {
  @Test("writes the examples of the contract verbatim")
  func examples() throws {
    let lines = [Examples.decision, Examples.goal, Examples.dataPoint] + Examples.lifeCycle
    for line in lines { #expect(try Event(jsonLine: line).jsonLine == line) }
    let conversion = Examples.conversion.replacing("10.0", with: "10")
    #expect(try Event(jsonLine: Examples.conversion).jsonLine == conversion)
  }

  @Test("writes the keys in a fixed order, and unknown ones last")
  func order() throws {
    let line =
      #"{"x":1,"metadata":{},"reason":"r","status":"refused","value":2,"goal":"g","experiment":"e","#
      + #""unit":"u","time":0,"id":"i","type":"goal","y":[]}"#
    #expect(
      try Event(jsonLine: line).jsonLine
        == #"{"type":"goal","id":"i","time":"1970-01-01T00:00:00Z","unit":"u","experiment":"e","#
        + #""goal":"g","value":2,"status":"refused","reason":"r","metadata":{},"x":1,"y":[]}"#)
  }

  @Test("escapes what must be escaped and nothing else")
  func escapes() {
    for place in 0..<20 {
      for byte in UInt8.min..<0x80 {
        var text = Array(String(repeating: "é", count: place / 2).utf8)
        if place % 2 == 1 { text.append(UInt8(ascii: "a")) }
        text += [byte] + Array("üb".utf8)
        var output: [UInt8] = []
        JSONLinesEncoder.append(text: text.span, to: &output)
        #expect(output == Self.naive(text), "byte \(byte) at \(place)")
      }
    }
  }

  private static func naive(_ text: [UInt8]) -> [UInt8] {
    let short: [UInt8: String] = [
      8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: "\\\"", 92: "\\\\",
    ]
    var output = "\""
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let value = scalar.value
      if let escape = value < 0x80 ? short[UInt8(value)] : nil {
        output += escape
      } else if value < 0x20 {
        output += "\\u00" + (value < 0x10 ? "0" : "") + String(value, radix: 16)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return Array((output + "\"").utf8)
  }

  @Test("ends with one line feed and keeps preserved values on the line")
  func oneLine() throws {
    let text = "{\"type\":\"sessionExpired\",\"time\":0,\"unit\":\"\",\"x\":[1,\r\n2]}"
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    let bytes = Array(text.utf8)
    try decoder.decode(bytes.span, into: &record)
    var output: [UInt8] = []
    JSONLinesEncoder.append(record, to: &output)
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"{"type":"sessionExpired","time":"1970-01-01T00:00:00Z","unit":"","x":[1,  2]}"# + "\n")
  }

  @Test("refuses an event that no line can represent")
  func refuses() {
    let empty = Event(time: .earliest, unit: "", payload: .conversion(Conversion(goal: "g")))
    #expect(throws: EventProblem.self) { try empty.jsonLine }
    let infinite = Event(
      time: .earliest, unit: "u", payload: .conversion(Conversion(goal: "g", revenue: .infinity)))
    #expect(throws: EventProblem.self) { try infinite.jsonLine }
    let outside = Event(
      time: Timestamp(microseconds: .max), unit: "u", payload: .conversion(Conversion(goal: "g")))
    #expect(throws: EventProblem.self) { try outside.jsonLine }
  }

  @Test("writes null for a number that is not finite")
  func notFinite() {
    var record = EventRecord(kind: .conversion)
    record.revenue = .nan
    var output: [UInt8] = []
    JSONLinesEncoder.append(record, to: &output)
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"{"type":"conversion","time":"1970-01-01T00:00:00Z","revenue":null}"# + "\n")
  }
}
