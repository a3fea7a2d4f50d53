/// A number in a line: its range and its digits, not yet rounded.
package struct JSONNumber {
  /// The index of the first byte.
  var start: Int
  /// The index after the last byte.
  var end: Int
  /// Whether it has a minus sign.
  var isNegative = false
  /// Whether it has neither a decimal point nor an exponent.
  var isInteger = true
  /// The digits before and after the decimal point as one number; meaningless beyond 19 digits.
  var significand: UInt64 = 0
  /// The number of digits of the significand, without leading zeros.
  var digits = 0
  /// The power of ten by which the significand is multiplied.
  var exponent = 0
}

extension JSONScanner {
  /// Parses a number, which must come next. `01`, `1.`, `.5`, `+1` and `NaN` are invalid.
  @inline(__always)
  mutating func number(_ line: Span<UInt8>) throws(JSONLineError) -> JSONNumber {
    var number = JSONNumber(start: position, end: position)
    var index = position
    if peek(line) == UInt8(ascii: "-") {
      number.isNegative = true
      index &+= 1
    }
    let hasLeadingZero = index < line.count && line[index] == UInt8(ascii: "0")
    let whole = number.takeDigits(from: &index, line)
    guard whole > 0, whole == 1 || !hasLeadingZero else {
      throw malformed(at: index, whole: whole, line)
    }
    if index < line.count, line[index] == UInt8(ascii: ".") {
      index &+= 1
      let fraction = number.takeDigits(from: &index, line)
      guard fraction > 0 else {
        throw .expected("a digit after the decimal point", at: index, in: line)
      }
      number.isInteger = false
      number.exponent = -fraction
    }
    if index < line.count, line[index] | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      try number.takeExponent(from: &index, line)
    }
    number.end = index
    position = index
    return number
  }

  @inline(never)
  private func malformed(at index: Int, whole: Int, _ line: Span<UInt8>) -> JSONLineError {
    if whole > 0 {
      return JSONLineError(
        offset: position, reason: "a number begins with 0; remove the leading zeros")
    }
    if index > position { return .expected("a digit after the minus sign", at: index, in: line) }
    return notAValue(line)
  }
}

extension JSONNumber {
  /// Adds digits to the significand and returns their number.
  @inline(__always)
  fileprivate mutating func takeDigits(from index: inout Int, _ line: Span<UInt8>) -> Int {
    let first = index
    while index < line.count {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      significand = significand &* 10 &+ UInt64(digit)
      if digits > 0 || digit > 0 { digits &+= 1 }
      index &+= 1
    }
    return index &- first
  }

  @inline(never)
  fileprivate mutating func takeExponent(from index: inout Int, _ line: Span<UInt8>)
    throws(JSONLineError)
  {
    var isDown = false
    if index < line.count, line[index] == UInt8(ascii: "-") || line[index] == UInt8(ascii: "+") {
      isDown = line[index] == UInt8(ascii: "-")
      index += 1
    }
    let first = index
    var power = 0
    while index < line.count, line[index] &- UInt8(ascii: "0") < 10 {
      // Beyond any power of a Double the exact exponent does not matter: the slow path decides.
      power = min(power * 10 + Int(line[index] - UInt8(ascii: "0")), 1_000_000)
      index += 1
    }
    guard index > first else { throw .expected("a digit in the exponent", at: index, in: line) }
    isInteger = false
    exponent += isDown ? -power : power
  }

  /// Returns the nearest Double, ties to even; nil if there is no finite one.
  ///
  /// A significand and a power of ten that are both exact as Doubles need only one rounding (W. D. Clinger, "How to
  /// Read Floating Point Numbers Accurately", 1990); longer numbers are parsed by the standard library, which rounds
  /// correctly too.
  @inline(__always)
  func double(_ line: Span<UInt8>) -> Double? {
    guard digits <= 19, significand <= 1 << 53, exponent >= -22, exponent <= 22 else {
      return longDouble(line)
    }
    let size = Double(significand)
    let scaled =
      exponent < 0
      ? size / Self.powersOfTen[-exponent]
      : exponent == 0 ? size : size * Self.powersOfTen[exponent]
    return isNegative ? -scaled : scaled
  }

  @inline(never)
  private func longDouble(_ line: Span<UInt8>) -> Double? {
    // Safety: the buffer is used only within the closure.
    let text = unsafe line.extracting(start..<end).withUnsafeBufferPointer {
      unsafe String(decoding: $0, as: UTF8.self)
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Parses `-12.5`, `3`, and also what JSON does not allow: `+1`, `.5`, `5.` and leading zeros.
  ///
  /// - Returns: The nearest `Double`; nil for anything else, including hexadecimal digits, `inf` and `nan`, and for
  ///   numbers beyond the range of a `Double`.
  /// - Complexity: O(length).
  package static func double(of text: Span<UInt8>) -> Double? {
    var number = JSONNumber(start: 0, end: text.count)
    var index = 0
    if index < text.count, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
      number.isNegative = text[0] == UInt8(ascii: "-")
      index = 1
    }
    var digits = number.takeDigits(from: &index, text)
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      let fraction = number.takeDigits(from: &index, text)
      number.exponent = -fraction
      digits += fraction
    }
    guard digits > 0 else { return nil }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      guard (try? number.takeExponent(from: &index, text)) != nil else { return nil }
    }
    return index == text.count ? number.double(text) : nil
  }

  /// Returns whether a text is a number as JSON writes them.
  package static func isNumber(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, text[0] == UInt8(ascii: "-") || text[0] &- UInt8(ascii: "0") < 10 else {
      return false
    }
    var scanner = JSONScanner()
    return (try? scanner.number(text))?.end == text.count
  }

  /// The integer; nil if it has a decimal point or an exponent, or does not fit.
  @inline(__always)
  var integer: Int64? {
    guard isInteger, digits <= 19 else { return nil }
    if isNegative {
      return significand <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- significand) : nil
    }
    return Int64(exactly: significand)
  }

  /// Whether an integer is a value exactly; false of one of more than 128 bits.
  func isExact(_ value: Double, _ line: Span<UInt8>) -> Bool {
    var whole: UInt128 = 0
    for index in start..<end where line[index] &- UInt8(ascii: "0") < 10 {
      let (product, isOver) = whole.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(UInt128(line[index] &- UInt8(ascii: "0")))
      guard !isOver, !isBeyond else { return false }
      whole = sum
    }
    return UInt128(exactly: value.magnitude) == whole
  }

  /// The powers of ten that a Double represents exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
