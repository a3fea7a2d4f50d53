package import Events
internal import Specifications

/// Lenient conversion of JSON values to numbers and Booleans, as apps have long done: a text is read by its
/// prefix.
///
/// Each result is nil where there is nothing to read: no value, `null`, a list, an object, and for numbers a
/// text without a numeric prefix. The caller decides what to use then, zero or a default.
package enum Coercion {
  /// Returns an integer: numbers are truncated toward zero, Booleans are 1 or 0, and of a text the digits
  /// after blanks and an optional sign are read. Values out of range are clamped.
  package static func integer(_ value: JSONValue?) -> Int? {
    switch value {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let integer): Int(clamping: integer)
    case .number(let number): nearestInteger(number)
    case .string(let text): leadingInteger(text)
    case .null, .array, .object, nil: nil
    }
  }

  /// Returns a number: Booleans are 1 or 0, and of a text the longest decimal number after blanks is read. A
  /// number that overflows becomes the greatest finite value.
  package static func double(_ value: JSONValue?) -> Double? {
    switch value {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let integer): Double(integer)
    case .number(let number): number.isNaN ? nil : clamped(number)
    case .string(let text): leadingDecimal(text).map(clamped)
    case .null, .array, .object, nil: nil
    }
  }

  /// Returns a single-precision number, by the rules of ``double(_:)``.
  package static func float(_ value: JSONValue?) -> Float? {
    double(value).map { clamped(Float($0)) }
  }

  /// Returns a Boolean: a number other than 0 is true, and so is a text that continues with `Y`, `y`, `T`,
  /// `t` or a digit other than 0 after blanks, one sign and any zeros. Every other text is false.
  package static func bool(_ value: JSONValue?) -> Bool? {
    switch value {
    case .boolean(let flag): flag
    case .integer(let integer): integer != 0
    case .number(let number): number != 0
    case .string(let text): isTrue(text)
    case .null, .array, .object, nil: nil
    }
  }

  /// Returns the number that the whole text represents, ignoring blanks: a sign, digits with at most one
  /// point, an exponent; infinite when it overflows. Nil for any other text.
  package static func wholeDecimal(_ text: String) -> Double? {
    let utf8 = Array(text.utf8)
    guard let end = endOfDecimal(in: utf8[...]), end == utf8.count else { return nil }
    return Double(text)
  }
}

// MARK: - Prefixes

extension Coercion {
  private static func isTrue(_ text: String) -> Bool {
    let rest = afterSign(afterBlanks(text.utf8)).drop { $0 == UInt8(ascii: "0") }
    switch rest.first {
    case UInt8(ascii: "Y"), UInt8(ascii: "y"), UInt8(ascii: "T"), UInt8(ascii: "t"): return true
    case let byte?: return byte.isASCIIDigit
    case nil: return false
    }
  }

  private static func leadingInteger(_ text: String) -> Int? {
    let rest = afterBlanks(text.utf8)
    let digits = afterSign(rest).prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty else { return nil }
    let isNegative = rest.first == UInt8(ascii: "-")
    var sum = 0
    for byte in digits {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (tenfold, isOver) = sum.multipliedReportingOverflow(by: 10)
      let (next, isBeyond) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
      if isOver || isBeyond { return isNegative ? .min : .max }
      sum = next
    }
    return sum
  }

  private static func leadingDecimal(_ text: String) -> Double? {
    let utf8 = Array(afterBlanks(text.utf8))
    return endOfDecimal(in: utf8[...]).flatMap {
      Double(String(decoding: utf8[..<$0], as: UTF8.self))
    }
  }

  /// Returns the end of the decimal number at the start of the bytes; nil when there is none.
  private static func endOfDecimal(in bytes: ArraySlice<UInt8>) -> Int? {
    let unsigned = afterSign(bytes)
    let whole = unsigned.prefix(while: \.isASCIIDigit)
    var rest = unsigned[whole.endIndex...]
    var digits = whole.count
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      digits += fraction.count
      rest = unsigned[fraction.endIndex...]
    }
    guard digits > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      let power = afterSign(rest.dropFirst()).prefix(while: \.isASCIIDigit)
      if !power.isEmpty { return power.endIndex }
    }
    return rest.startIndex
  }

  private static func afterBlanks(_ utf8: String.UTF8View) -> Substring.UTF8View {
    utf8.drop {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\n")
        || $0 == UInt8(ascii: "\r")
    }
  }

  private static func afterSign<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes
  where Bytes.SubSequence == Bytes {
    let isSigned = bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-")
    return isSigned ? bytes.dropFirst() : bytes
  }
}

// MARK: - Clamping

extension Coercion {
  private static func nearestInteger(_ number: Double) -> Int? {
    guard !number.isNaN else { return nil }
    return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  private static func clamped<Number: BinaryFloatingPoint>(_ number: Number) -> Number {
    max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, number))
  }
}
