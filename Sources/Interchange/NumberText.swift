/// Parses decimal numbers, with a point, in any locale.
enum NumberText {
  /// Parses `-12.5`, `3`, `.5`, `1e-3`; returns the nearest `Double`.
  ///
  /// - Returns: nil for anything else, including hexadecimal, `inf` and `nan`, and for numbers beyond
  ///   the range of a `Double`.
  /// - Complexity: O(length). Up to 2^53 with a power of ten within 10^22 both are exact, so one
  ///   division or multiplication rounds correctly (W. Clinger, "How to read floating point numbers
  ///   accurately", 1990); the rest is left to the standard library.
  static func double(_ bytes: Span<UInt8>) -> Double? {
    guard let parts = Parts(bytes) else { return nil }
    if parts.isExact, parts.exponent.magnitude <= 22 {
      let mantissa = Double(parts.mantissa)
      let power = powersOfTen[Int(parts.exponent.magnitude)]
      let magnitude = parts.exponent < 0 ? mantissa / power : mantissa * power
      return parts.isNegative ? -magnitude : magnitude
    }
    // Safety: the pointer does not leave the closure; the bytes were just found to be ASCII.
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns whether the text consists of one or more decimal digits only.
  static func isWhole(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] &- UInt8(ascii: "0") > 9 { return false }
    return !bytes.isEmpty
  }

  /// Parses an integer without sign or leading zeros; nil for anything else or above 10^9.
  static func canonicalIndex(_ bytes: Span<UInt8>) -> Int? {
    guard isWhole(bytes), bytes.count <= 9 else { return nil }
    guard bytes.count == 1 || bytes[0] != UInt8(ascii: "0") else { return nil }
    var value = 0
    for index in bytes.indices { value = value * 10 + Int(bytes[index] - UInt8(ascii: "0")) }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

/// A decimal number in parts: mantissa * 10^exponent.
private struct Parts {
  var isNegative = false
  var mantissa: UInt64 = 0
  var exponent = 0
  /// Whether the mantissa has all digits and is at most 2^53.
  var isExact = true
  private var digits = 0
  private var position = 0

  init?(_ bytes: Span<UInt8>) {
    isNegative = readSign(bytes) < 0
    readDigits(bytes)
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let start = position
      readDigits(bytes)
      exponent = start - position
    }
    guard digits > 0, readExponent(bytes), position == bytes.count else { return nil }
    isExact = isExact && mantissa <= 1 << 53
  }

  /// Parses `-` or `+` if there is one.
  private mutating func readSign(_ bytes: Span<UInt8>) -> Int {
    guard position < bytes.count else { return 1 }
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative || bytes[position] == UInt8(ascii: "+") { position += 1 }
    return isNegative ? -1 : 1
  }

  private mutating func readDigits(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      if mantissa < 1 << 59 {
        mantissa = mantissa * 10 + UInt64(digit)
      } else {
        isExact = false
      }
      digits += 1
      position += 1
    }
  }

  /// Parses the exponent if there is one; false if it is malformed.
  private mutating func readExponent(_ bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return true }
    position += 1
    let sign = readSign(bytes)
    let start = position
    var value = 0
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 {
      value = min(value * 10 + Int(bytes[position] - UInt8(ascii: "0")), 1_000_000)
      position += 1
    }
    exponent += sign * value
    return position > start
  }
}
