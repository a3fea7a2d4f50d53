import TestSupport
import Testing

@testable import Events

@Suite("JSON numbers")
struct JSONNumberTests {
  private func read(_ text: String) throws(JSONLineError) -> (Double?, Int64?, end: Int) {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner()
    let number = try scanner.number(bytes.span)
    return (number.double(bytes.span), number.integer, scanner.position)
  }

  /// A random literal, long or short, with extreme exponents now and then.
  private func literal(using generator: inout SeededGenerator) -> String {
    let digits = { (count: Int, generator: inout SeededGenerator) in
      (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }
    var text = generator.chance(0.3) ? "-" : ""
    let whole = digits(
      Int.random(in: 1...(generator.chance(0.1) ? 25 : 6), using: &generator), &generator)
    text += whole.drop { $0 == "0" }.isEmpty ? "0" : whole.drop { $0 == "0" }
    if generator.chance(0.7) {
      text +=
        "."
        + digits(
          Int.random(in: 1...(generator.chance(0.2) ? 30 : 6), using: &generator), &generator)
    }
    if generator.chance(0.3) {
      let range = generator.chance(0.3) ? 330 : 25
      let sign = generator.pick(["", "+", "-"], or: "")
      text +=
        generator.pick(["e", "E"], or: "e") + sign
        + "\(Int.random(in: 0...range, using: &generator))"
    }
    return text
  }

  @Test("are rounded as the standard library rounds them", arguments: 0..<8)
  func doubles(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<16_000 {
      let text = literal(using: &generator)
      let (value, integer, end) = try read(text)
      let expected = try #require(Double(text))
      #expect(
        value?.bitPattern == (expected.isFinite ? expected.bitPattern : nil),
        "seed \(seed): \(text)")
      #expect(integer == Int64(text), "seed \(seed): \(text)")
      #expect(end == text.utf8.count)
    }
  }

  @Test("round-trip through the shortest form of any Double", arguments: 0..<4)
  func shortest(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      #expect(try read("\(number)").0?.bitPattern == number.bitPattern, "seed \(seed): \(number)")
    }
  }

  @Test(
    "at the limits",
    arguments: [
      "0", "-0", "-0.0", "0e999999999999", "0.0000000000000000000000000001", "1e22", "1e23",
      "1e-22",
      "9007199254740992", "9007199254740993", "9007199254740993e1", "9999999999999999999",
      "18446744073709551615", "18446744073709551616", "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "1.7976931348623157e308", "4.9e-324",
      "2e-324",
      "2.2250738585072011e-308", "1e-400", "179769313486231580793e289",
    ])
  func edges(text: String) throws {
    let (value, integer, _) = try read(text)
    let expected = try #require(Double(text))
    #expect(value?.bitPattern == (expected.isFinite ? expected.bitPattern : nil))
    #expect(integer == Int64(text))
  }

  @Test(
    "beyond the range of Double are nil", arguments: ["1e309", "-1e309", "1e99999999999999999999"])
  func tooLarge(text: String) throws {
    #expect(try read(text).0 == nil)
    #expect(try read(String(repeating: "9", count: 400)).0 == nil)
  }

  @Test("of a hundred thousand digits are read too")
  func manyDigits() throws {
    let text = "0." + String(repeating: "3", count: 100_000)
    #expect(try read(text).0 == 1.0 / 3)
  }
}
