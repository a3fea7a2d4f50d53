import Testing

@testable import Specifications

@Suite("Numbers and lists as text")
struct WrittenValueTests {
  @Test(
    "integers have digits or an exponent",
    arguments: [
      ("1000", 1_000), ("1e3", 1_000), ("2.5e3", 2_500), ("1e+2", 100), ("-1e2", -100),
      ("+7", 7), ("1.5e0", nil), ("1e-1", nil), ("1e16", nil), ("1e400", nil),
      ("9007199254740993", 9_007_199_254_740_993),
      ("", nil), ("e3", nil), ("3.5", nil), ("1k", nil), ("0x1e3", nil), ("infe1", nil),
      ("1e3 ", nil),
    ] as [(String, Int?)])
  func integers(text: String, number: Int?) {
    #expect(WrittenValue.integer(text) == number)
  }

  @Test("an integer must fit")
  func range() {
    #expect(WrittenValue.integer("-1e0") as UInt64? == nil)
    #expect(WrittenValue.integer("18446744073709551615") == UInt64.max)
    #expect(WrittenValue.integer("2.56e2") as UInt8? == nil)
  }

  @Test(
    "a percentage is the decimal with the point moved, not a rounded quotient",
    arguments: [
      ("5%", 0.05), ("0.1%", 0.001), ("99.9%", 0.999), ("100%", 1), ("-3%", -0.03), ("7e-2", 0.07),
      ("%", nil), ("5 %", nil), ("inf%", nil), ("1e1%", nil), ("x", nil),
    ] as [(String, Double?)])
  func numbers(text: String, number: Double?) {
    #expect(WrittenValue.number(text) == number)
  }

  @Test("lists are separated by commas, or by semicolons where there is one")
  func lists() {
    #expect(WrittenValue.elements("1,2,,3") == ["1", "2", "", "3"])
    #expect(WrittenValue.elements("a,b;c") == ["a,b", "c"])
    #expect(WrittenValue.elements("") == [""])
  }
}
