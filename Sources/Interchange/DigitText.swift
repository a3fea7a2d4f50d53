internal import Events

/// Texts of digits.
enum DigitText {
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
}

extension JSONNumber {
  /// Returns whether a number has neither a point nor an exponent.
  static func isInteger(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    !bytes[range].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  }
}
