internal import Specifications

extension Timestamp {
  /// Appends the ISO 8601 form in UTC: `2026-01-02T03:04:05.678901Z`, without the fraction if it is zero. Years beyond
  /// 9999 are written with as many digits as they need, and negative ones with a sign; such a timestamp cannot be
  /// parsed again.
  ///
  /// - Complexity: O(1), no allocation beyond the growth of `output`.
  public func write(to output: inout [UInt8]) {
    let perDay = Int(Calendar.microsecondsPerDay)
    var (day, withinDay) = Int(microseconds).quotientAndRemainder(dividingBy: perDay)
    if withinDay < 0 { (day, withinDay) = (day - 1, withinDay + perDay) }
    let date = Calendar.date(days: day)
    let second = withinDay / 1_000_000
    if date.year < 0 { output.append(UInt8(ascii: "-")) }
    Self.write(abs(date.year), digits: 4, to: &output)
    output.append(UInt8(ascii: "-"))
    Self.write(date.month, digits: 2, to: &output)
    output.append(UInt8(ascii: "-"))
    Self.write(date.day, digits: 2, to: &output)
    output.append(UInt8(ascii: "T"))
    Self.write(second / 3_600, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    Self.write(second / 60 % 60, digits: 2, to: &output)
    output.append(UInt8(ascii: ":"))
    Self.write(second % 60, digits: 2, to: &output)
    if withinDay % 1_000_000 != 0 {
      output.append(UInt8(ascii: "."))
      Self.write(withinDay % 1_000_000, digits: 6, to: &output)
    }
    output.append(UInt8(ascii: "Z"))
  }

  private static func write(_ value: Int, digits: Int, to output: inout [UInt8]) {
    NumberText.appendDigits(UInt64(value), atLeast: digits, to: &output)
  }

  /// Parses ISO 8601: `2026-01-02T03:04:05.678901Z`, with `T` or a space in the middle, one to nine digits of fraction
  /// or none (digits below a microsecond are truncated), and `Z` or an offset `+hh:mm`, `+hhmm` or `+hh`. A text
  /// without offset is rejected, because it does not define a point in time.
  ///
  /// - Returns: nil if the bytes are anything else or the year lies outside 1...9999.
  /// - Complexity: O(1).
  public init?(iso8601 bytes: Span<UInt8>) {
    guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
      let date = DigitWord(bytes.word(at: 0), like: 0x2D30_302D_3030_3030),
      let time = DigitWord(bytes.word(at: 11), like: 0x3030_3A30_303A_3030)
    else { return nil }
    let (year, month) = (date.pair(at: 0) * 100 + date.pair(at: 2), date.pair(at: 5))
    let (hour, minute, second) = (time.pair(at: 0), time.pair(at: 3), time.pair(at: 6))
    var reader = DigitReader(position: 8)
    guard let day = reader.number(digits: 2, in: bytes) else { return nil }
    reader.position = 19
    guard let fraction = reader.fraction(in: bytes), let offset = reader.offset(in: bytes),
      reader.position == bytes.count,
      year >= 1, day >= 1, day <= Calendar.daysIn(month: month, year: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds =
      Calendar.days(year: year, month: month, day: day) * 86_400
      + hour * 3_600 + minute * 60 + second - offset
    self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    guard isWritable else { return nil }
  }

  /// Creates a timestamp from a number since 1970: seconds, milliseconds, microseconds or nanoseconds, distinguished
  /// by magnitude. Below 1e11 it is seconds, below 1e14 milliseconds, below 1e17 microseconds, and nanoseconds above.
  /// Seconds and milliseconds are rounded to the nearest microsecond, which restores the six decimals that were
  /// written; otherwise fractions of a microsecond are rounded down.
  ///
  /// - Returns: nil if the number is not finite or the year lies outside 1...9999.
  public init?(sinceEpoch number: Double) {
    let size = number.magnitude
    guard size < 9.2e18 else { return nil }
    switch size {
    case ..<1e11: self.init(microseconds: Self.nearest(number * 1e6))
    case ..<1e14: self.init(microseconds: Self.nearest(number * 1e3))
    case ..<1e17: self.init(microseconds: Self.floor(number))
    default: self.init(microseconds: Self.floor(number / 1e3))
    }
    guard isWritable else { return nil }
  }

  /// Returns the nearest integer, halves away from zero. `rounded()` would need the mathematics library, which a
  /// program that uses only this module does not link.
  private static func nearest(_ number: Double) -> Int64 {
    let whole = Int64(number)
    let rest = number - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }

  private static func floor(_ number: Double) -> Int64 {
    let whole = Int64(number)
    return Double(whole) > number ? whole - 1 : whole
  }

  /// Creates a timestamp from an integer since 1970, exactly; the unit is distinguished as by `init(sinceEpoch:)` of a
  /// fractional number.
  ///
  /// - Returns: nil if the year lies outside 1...9999.
  public init?(sinceEpoch number: Int64) {
    switch number.magnitude {
    case ..<100_000_000_000: self.init(microseconds: number * 1_000_000)
    case ..<100_000_000_000_000: self.init(microseconds: number * 1_000)
    case ..<100_000_000_000_000_000: self.init(microseconds: number)
    default:
      let (quotient, remainder) = number.quotientAndRemainder(dividingBy: 1_000)
      self.init(microseconds: remainder < 0 ? quotient - 1 : quotient)
    }
    guard isWritable else { return nil }
  }
}

/// Eight bytes of digits and of characters between them, all of which are checked at once.
private struct DigitWord {
  /// The digits as numbers, and 0 in place of the characters, the first byte lowest.
  private let digits: UInt64

  /// Takes bytes that have digits where a pattern has zeros, and the pattern's other characters; nil for any others.
  @inline(__always)
  init?(_ word: UInt64, like pattern: UInt64) {
    digits = word ^ pattern
    let (zeros, highBits): (UInt64, UInt64) = (0x3030_3030_3030_3030, 0x8080_8080_8080_8080)
    let others = ((pattern ^ zeros) &+ ~highBits) & highBits
    // Sets the highest bit of a digit above 9, and of another character that is not that of the pattern.
    let tooLarge = digits &+ 0x7676_7676_7676_7676 &+ (others &>> 7) &* 9
    guard (tooLarge | digits) & highBits == 0 else { return nil }
  }

  /// Returns the number of two digits, of which the first has an index.
  @inline(__always)
  func pair(at index: UInt64) -> Int {
    Int((digits &>> (8 &* index) & 0xF) &* 10 &+ (digits &>> (8 &* index &+ 8) & 0xF))
  }
}

/// Parses fixed groups of decimal digits, as in dates.
private struct DigitReader {
  var position: Int

  mutating func number(digits: Int, in bytes: Span<UInt8>) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<digits {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
      position += 1
    }
    return value
  }

  mutating func skip(_ character: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Parses the fraction of a second in microseconds; 0 if there is none, nil if it is malformed.
  mutating func fraction(in bytes: Span<UInt8>) -> Int? {
    guard skip(".", in: bytes) || skip(",", in: bytes) else { return 0 }
    var value = 0
    var digits = 0
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
      if digits < 6 { value = value * 10 + Int(bytes[position] - UInt8(ascii: "0")) }
      digits += 1
      position += 1
    }
    guard digits >= 1, digits <= 9 else { return nil }
    for _ in stride(from: digits, to: 6, by: 1) { value *= 10 }
    return value
  }

  /// Parses the offset from UTC in seconds, positive to the east; nil if it is missing or malformed.
  mutating func offset(in bytes: Span<UInt8>) -> Int? {
    if skip("Z", in: bytes) || skip("z", in: bytes) { return 0 }
    let sign: Int
    if skip("+", in: bytes) {
      sign = 1
    } else if skip("-", in: bytes) {
      sign = -1
    } else {
      return nil
    }
    guard let hours = number(digits: 2, in: bytes), hours < 24 else { return nil }
    if position == bytes.count { return sign * hours * 3_600 }
    _ = skip(":", in: bytes)
    guard let minutes = number(digits: 2, in: bytes), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
