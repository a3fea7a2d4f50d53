/// A number in a line: where it stands and what its digits say, not yet rounded.
struct JSONNumber {
  /// The first byte.
  var start: Int
  /// The byte behind the last one.
  var end: Int
  /// Whether a minus sign stands in front.
  var isNegative = false
  /// Whether there is neither a point nor an exponent.
  var isInteger = true
  /// The digits before and behind the point as one number; meaningless beyond 19 digits.
  var significand: UInt64 = 0
  /// How many digits that number has, without leading zeros.
  var digits = 0
  /// The power of ten by which the significand must be multiplied.
  var exponent = 0
}

extension JSONScanner {
  /// Reads a number, which must come next. `01`, `1.`, `.5`, `+1` and `NaN` are no numbers.
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
  /// Takes digits into the significand and answers how many there were.
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
      // Beyond any power of a Double the exact one no longer matters: the slow path judges it.
      power = min(power * 10 + Int(line[index] - UInt8(ascii: "0")), 1_000_000)
      index += 1
    }
    guard index > first else { throw .expected("a digit in the exponent", at: index, in: line) }
    isInteger = false
    exponent += isDown ? -power : power
  }

  /// The nearest Double, ties to even; nil when there is no finite one.
  ///
  /// A significand and a power of ten that are both exact as Doubles need one rounding only (W. D.
  /// Clinger, "How to Read Floating Point Numbers Accurately", 1990); the standard library, which
  /// rounds correctly too, reads what is longer.
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
    // Safety: the buffer is read before the closure ends.
    let text = unsafe line.extracting(start..<end).withUnsafeBufferPointer {
      unsafe String(decoding: $0, as: UTF8.self)
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The whole number; nil when it has a point or an exponent, or does not fit.
  @inline(__always)
  var integer: Int64? {
    guard isInteger, digits <= 19 else { return nil }
    if isNegative {
      return significand <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- significand) : nil
    }
    return Int64(exactly: significand)
  }

  /// The powers of ten that a Double holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
