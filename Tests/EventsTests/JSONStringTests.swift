import Testing

@testable import Events

@Suite("JSON texts")
struct JSONStringTests {
  private func read(_ json: [UInt8]) throws(JSONLineError) -> ([UInt8], end: Int) {
    var scanner = JSONScanner()
    let string = try scanner.string(json.span)
    var output: [UInt8] = []
    JSONScanner.unescape(string, json.span, into: &output)
    #expect(string.hasEscapes == json[..<scanner.position].contains(UInt8(ascii: "\\")))
    return (output, scanner.position)
  }

  @Test("resolves every escape")
  func escapes() throws {
    let json = Array(#""\"\\\/\b\f\n\r\t\u0041\u00E9\u20ac\uD83D\uDE00\u0000""#.utf8)
    let (text, end) = try read(json)
    #expect(String(decoding: text, as: UTF8.self) == "\"\\/\u{8}\u{C}\n\r\tAé€😀\u{0}")
    #expect(end == json.count)
  }

  @Test("ends at the quote at any distance, and stops at any byte that is not plain")
  func everyByteAtEveryPlace() throws {
    for length in 0..<20 {
      for place in 0...length {
        for byte in UInt8.min...UInt8.max {
          var json = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          json.insert(byte, at: place)
          json.insert(UInt8(ascii: "\""), at: 0)
          json += Array("\"  ".utf8)
          let result = Result { () throws(JSONLineError) in try read(json) }
          switch byte {
          case UInt8(ascii: "\""):
            #expect(try result.get().end == place + 2)
          case 0x20..<0x80 where byte != UInt8(ascii: "\\"):
            #expect(try result.get() == (Array(json[1..<length + 2]), length + 3))
          default:
            #expect(throws: JSONLineError.self) { try result.get() }
          }
        }
      }
    }
  }

  @Test("accepts every character of Unicode, plain and escaped")
  func everyScalar() throws {
    for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 37) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let utf8 = Array(String(scalar).utf8)
      let quote = [UInt8(ascii: "\"")]
      #expect(try read(quote + utf8 + quote).0 == utf8)
      let escaped = String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      #expect(try read(quote + Array(escaped.joined().utf8) + quote).0 == utf8)
    }
  }
}
