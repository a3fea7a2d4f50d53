internal import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Digits and numbers as text")
struct DigitTextTests {
  private func double(_ text: String) -> Double? {
    JSONNumber.double(of: Array(text.utf8).span)
  }

  @Test("reads decimals to the nearest Double")
  func decimals() {
    for text in [
      "0", "-0", "1", "0.5", ".5", "5.", "+1.25", "-3e2", "1E-3", "0.029411764705882353",
      "9007199254740993",
      "123456789012345678901234567890", "4.9e-324", "1.7976931348623157e308", "0.1e23", "1e22",
      "1e-22",
    ] {
      #expect(double(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test("agrees with the standard library on random texts")
  func randomNumbers() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<5_000 {
      let digits = String(
        UInt64.random(in: 0...(1 << UInt64.random(in: 0...63, using: &random)), using: &random))
      let cut = digits.index(
        digits.startIndex, offsetBy: Int.random(in: 0...digits.count, using: &random))
      let exponent =
        Bool.random(using: &random) ? "" : "e\(Int.random(in: -40...40, using: &random))"
      let text = "\(digits[..<cut]).\(digits[cut...])\(exponent)"
      #expect(double(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
      let shortest = Double(bitPattern: random.next())
      guard shortest.isFinite else { continue }
      #expect(double("\(shortest)")?.bitPattern == shortest.bitPattern, "\(shortest)")
    }
  }

  @Test(
    "refuses everything else",
    arguments: [
      "", "-", ".", "e5", "1e", "1e+", "inf", "nan", "0x10", " 1", "1 ", "1,5", "1.2.3", "--1",
      "1e400",
      "-1e99999999999", "one", "\u{0661}",
    ])
  func refused(text: String) {
    #expect(double(text) == nil)
  }

  @Test("a choice's number has no sign and no leading zeros")
  func indices() {
    let index = { (text: String) in DigitText.canonicalIndex(Array(text.utf8).span) }
    #expect(index("0") == 0)
    #expect(index("34") == 34)
    for text in ["", "01", "+1", "-1", "1.0", "12345678901", "x"] { #expect(index(text) == nil) }
    let isWhole = { (text: String) in DigitText.isWhole(Array(text.utf8).span) }
    #expect(isWhole("007"))
    for text in ["", "-1", "1.0", "a", "1 "] { #expect(!isWhole(text)) }
  }
}
