import Foundation
import Specifications
import TestSupport
import Testing

@Suite("Percent coding")
struct PercentCodingTests {
  /// The encoder of Foundation.
  private func naive(_ text: String, keeping marks: String) -> String? {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let allowed = CharacterSet(
      charactersIn: letters + letters.uppercased() + "0123456789-._~" + marks)
    return text.addingPercentEncoding(withAllowedCharacters: allowed)
  }

  private func text(_ random: inout SeededGenerator) -> String {
    let scalars = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
      Unicode.Scalar(
        UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x1_FFFF), using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test("encodes as Foundation does, and decodes to the text", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for marks in ["", ",:", "!$&'()*,;=:@/?"] {
      for _ in 0..<50 {
        let text = text(&random)
        let encoded = PercentCoding.encode(text, keeping: marks)
        #expect(encoded == naive(text, keeping: marks), "seed \(seed)")
        for form in [PercentCoding.Form.path, .query] {
          let decoded = try #require(PercentCoding.decode(encoded.utf8, form))
          #expect(decoded.utf8.elementsEqual(text.utf8), "seed \(seed)")
        }
      }
    }
  }

  @Test("keeps the escapes of a text that has some", arguments: 0..<20)
  func keptEscapes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let encoded = Array(PercentCoding.encode(text(&random), keeping: "").utf8)
      var again: [UInt8] = []
      PercentCoding.append(encoded[...], keeping: "", escapes: .kept, to: &again)
      #expect(again == encoded, "seed \(seed)")
    }
  }

  @Test(
    "decodes paths and queries",
    arguments: [
      ("a+b%20c", "a+b c", "a b c"), ("%2B+", "++", "+ "), ("caf%C3%A9", "café", "café"),
      ("%", nil, nil), ("%4", nil, nil), ("%zz", nil, nil), ("%u20A", nil, nil), ("", "", ""),
      // The escapes of JavaScript's `escape()`.
      ("caf%E9", nil, "café"), ("%u20ACuro%20%E9", nil, "€uro é"), ("é%E9", nil, nil),
      ("%uD83D%uDE00", nil, "😀"), ("%uD83D", nil, nil),
    ] as [(String, String?, String?)])
  func decoding(text: String, path: String?, query: String?) {
    #expect(PercentCoding.decode(text.utf8, .path) == path)
    #expect(PercentCoding.decode(text.utf8, .query) == query)
  }
}
