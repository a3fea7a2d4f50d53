import Events
import Testing

@testable import DecidingCore

@Suite("Coercion")
struct CoercionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let integer: Int
    let double: Double
    let bool: Bool
    var testDescription: String { "\"\(text)\"" }

    init(_ text: String, _ integer: Int, _ double: Double, _ bool: Bool) {
      (self.text, self.integer, self.double, self.bool) = (text, integer, double, bool)
    }
  }

  @Test(
    "a text counts by what it begins with",
    arguments: [
      Row("45", 45, 45, true), Row("45abc", 45, 45, true), Row(" 45", 45, 45, true),
      Row("abc", 0, 0, false), Row("", 0, 0, false), Row("-7", -7, -7, true), Row("+7", 7, 7, true),
      Row("YES", 0, 0, true), Row("yes", 0, 0, true), Row("y", 0, 0, true),
      Row("true", 0, 0, true), Row("no", 0, 0, false), Row("NO", 0, 0, false),
      Row("0", 0, 0, false), Row("off", 0, 0, false), Row("on", 0, 0, false), Row("1", 1, 1, true),
      Row("+1", 1, 1, true), Row("9", 9, 9, true), Row("-1", -1, -1, true),
      // Beyond the row of the vectors.
      Row("\t\r\n 12.75x", 12, 12.75, true), Row("--1", 0, 0, false), Row("+ 1", 0, 0, false),
      Row("000", 0, 0, false), Row("0009", 9, 9, true), Row("-0t", 0, 0, true),
      Row("0.5", 0, 0.5, false), Row(".5", 0, 0.5, false), Row("5.", 5, 5, true),
      Row(".", 0, 0, false), Row("1.5.2", 1, 1.5, true), Row("2e3", 2, 2000, true),
      Row("2e", 2, 2, true), Row("2e+", 2, 2, true), Row("2E-1", 2, 0.2, true),
      Row("0x10", 0, 0, false), Row("inf", 0, 0, false), Row("nan", 0, 0, false),
      Row("9223372036854775808", .max, 9_223_372_036_854_775_808, true),
      Row("-9223372036854775808", .min, -9_223_372_036_854_775_808, true),
      Row("-9223372036854775809", .min, -9_223_372_036_854_775_808, true),
      Row("1e999", 1, .greatestFiniteMagnitude, true),
      Row("-1e99999999999999999999", -1, -.greatestFiniteMagnitude, true),
      Row("1e-99999999999999999999", 1, 0, true), Row("٤", 0, 0, false),
    ])
  func text(row: Row) {
    #expect(Coercion.integer(.string(row.text)) ?? 0 == row.integer)
    #expect(Coercion.double(.string(row.text)) ?? 0 == row.double)
    #expect(Coercion.bool(.string(row.text)) == row.bool)
  }

  @Test("numbers are cut toward zero, and kept within what fits")
  func numbers() {
    #expect(Coercion.integer(10.9) == 10 && Coercion.integer(-10.9) == -10)
    #expect(Coercion.integer(.integer(.min)) == .min)
    #expect(Coercion.integer(1e300) == .max && Coercion.integer(-1e300) == .min)
    #expect(Coercion.double(3) == 3 && Coercion.double(1.25) == 1.25)
    #expect(Coercion.float(1e300) == .greatestFiniteMagnitude)
    #expect(Coercion.float(.string("-1e39")) == -.greatestFiniteMagnitude)
    #expect(Coercion.float(1.2) == 1.2)
    #expect(Coercion.bool(0.1) == true && Coercion.bool(0) == false && Coercion.bool(-0.0) == false)
  }

  @Test("a truth value is 1 or 0")
  func truth() {
    #expect(Coercion.integer(true) == 1 && Coercion.integer(false) == 0)
    #expect(Coercion.double(true) == 1 && Coercion.double(false) == 0)
    #expect(Coercion.bool(true) == true && Coercion.bool(false) == false)
  }

  @Test(
    "nothing is read from nothing, null, a list and an object",
    arguments: [nil, JSONValue.null, [1], ["a": 1]] as [JSONValue?])
  func nothing(value: JSONValue?) {
    #expect(Coercion.integer(value) == nil && Coercion.double(value) == nil)
    #expect(Coercion.float(value) == nil && Coercion.bool(value) == nil)
  }

  @Test("a text without a number reads as none, but as a truth value always")
  func noNumber() {
    #expect(Coercion.integer("x") == nil && Coercion.double("") == nil)
    #expect(Coercion.integer(".5") == nil && Coercion.double(".5") == 0.5)
    #expect(Coercion.bool("x") == false)
  }

  @Test("a text is wholly a decimal number, or none")
  func whole() {
    #expect(Coercion.wholeDecimal("7") == 7 && Coercion.wholeDecimal("-1.5e1") == -15)
    #expect(Coercion.wholeDecimal(".5") == 0.5 && Coercion.wholeDecimal("1e999") == .infinity)
    for text in ["", " 7", "7 ", "7%", "0x7", "inf", "nan", "1e", "."] {
      #expect(Coercion.wholeDecimal(text) == nil, "\(text)")
    }
  }
}
