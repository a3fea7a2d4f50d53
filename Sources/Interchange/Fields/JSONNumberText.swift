/// Recognizes numbers as JSON writes them: no leading zeros, no plus sign, digits on both sides of the point.
enum JSONNumberText {
  /// Returns whether a number has neither a point nor an exponent.
  static func isInteger(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    !bytes[range].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// Returns whether a text is a number.
  static func isNumber(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    func digits() -> Int {
      var count = 0
      while position + count < range.upperBound, bytes[position + count] &- 0x30 < 10 { count += 1 }
      return count
    }
    if position < range.upperBound, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[position] != UInt8(ascii: "0") else { return false }
    position += whole
    if position < range.upperBound, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = digits()
      guard fraction > 0 else { return false }
      position += fraction
    }
    if position < range.upperBound, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < range.upperBound,
        bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")
      {
        position += 1
      }
      let exponent = digits()
      guard exponent > 0 else { return false }
      position += exponent
    }
    return position == range.upperBound
  }
}
