/// An integer of any length without leading zeros, read in place from its text.
struct WholeNumberText: Comparable {
  private let digits: Substring.UTF8View

  /// Creates an integer; nil when the text is empty or has anything but the digits 0 to 9.
  init?(_ text: Substring.UTF8View) {
    guard !text.isEmpty, text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    digits = text.drop { $0 == UInt8(ascii: "0") }
  }

  /// Zero.
  static var zero: WholeNumberText { WholeNumberText() }

  private init() { digits = Substring().utf8 }

  var isZero: Bool { digits.isEmpty }

  static func < (a: Self, b: Self) -> Bool {
    let (left, right) = (a.digits.count, b.digits.count)
    return left == right ? a.digits.lexicographicallyPrecedes(b.digits) : left < right
  }

  static func == (a: Self, b: Self) -> Bool { a.digits.elementsEqual(b.digits) }
}

/// A decimal number in its text form, `-12.50`, compared digit by digit, so that numbers that round to the
/// same `Double` remain distinct.
struct DecimalText: Comparable {
  private let isNegative: Bool
  private let whole: WholeNumberText
  /// The digits after the decimal point without trailing zeros.
  private let fraction: Substring.UTF8View

  /// Creates a number; nil unless the whole text is one: an optional sign, digits, and optionally a point and
  /// digits.
  init?(_ text: String) {
    var rest = Substring(text).utf8
    let sign = rest.first
    let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    if isSigned { rest = rest.dropFirst() }
    let parts = rest.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = WholeNumberText(first) else { return nil }
    if parts.count > 1, WholeNumberText(parts[1]) == nil { return nil }
    self.whole = whole
    fraction = Self.trimmed(parts.count > 1 ? parts[1] : Substring().utf8)
    let isZero = whole.isZero && fraction.isEmpty
    isNegative = sign == UInt8(ascii: "-") && !isZero
  }

  private static func trimmed(_ digits: Substring.UTF8View) -> Substring.UTF8View {
    var digits = digits
    while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
    return digits
  }

  static func < (a: Self, b: Self) -> Bool {
    if a.isNegative != b.isNegative { return a.isNegative }
    let (small, large) = a.isNegative ? (b, a) : (a, b)
    if small.whole != large.whole { return small.whole < large.whole }
    return small.fraction.lexicographicallyPrecedes(large.fraction)
  }

  static func == (a: Self, b: Self) -> Bool {
    a.isNegative == b.isNegative && a.whole == b.whole && a.fraction.elementsEqual(b.fraction)
  }
}
