/// Decimals for reading: six significant digits unless others are asked for, and every digit before the point.
package enum ReadableDecimal {
  /// Returns the number rounded for reading: `0.333333`, `1234568`, `1.5e-07`, `10`.
  ///
  /// Numbers from 0.0001 up to 1e15 are written without exponent and keep every digit before the point; others have
  /// an exponent. The shortest decimal text, as in the other formats, is rounded, half away from zero.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - digits: The number of significant digits, at least 1.
  /// - Returns: The text.
  package static func text(_ value: Double, digits: Int = 6) -> String {
    var plain: [UInt8] = []
    DecimalCell.append(value, to: &plain)
    if value.magnitude < 1e15, value == value.rounded(.towardZero) {
      return String(decoding: plain, as: UTF8.self)
    }
    guard var parts = Parts(plain) else { return String(decoding: plain, as: UTF8.self) }
    parts.round(
      to: parts.isWrittenOut ? max(digits, parts.exponent + 1) : digits)
    return (value < 0 ? "-" : "") + parts.text
  }

  /// A decimal number in scientific notation, d.ddd times ten to the exponent, without sign.
  private struct Parts {
    var digits: [UInt8] = []
    var exponent = 0

    /// Parses `-12.5`, `0.001`, `1.5e-07`; nil for anything else or zero.
    init?(_ text: [UInt8]) {
      var seenPoint = false
      var index = text.first == UInt8(ascii: "-") ? 1 : 0
      exponent = -1
      while index < text.count, text[index] != UInt8(ascii: "e") {
        if text[index] == UInt8(ascii: ".") {
          seenPoint = true
        } else {
          let digit = text[index] &- UInt8(ascii: "0")
          guard digit < 10 else { return nil }
          if digit == 0, digits.isEmpty {
            // A leading zero only moves the point.
            if seenPoint { exponent -= 1 }
          } else {
            digits.append(digit)
            if !seenPoint { exponent += 1 }
          }
        }
        index += 1
      }
      guard !digits.isEmpty else { return nil }
      if index < text.count {
        guard let power = Int(String(decoding: text[(index + 1)...], as: UTF8.self)),
          power.magnitude < 1_000
        else { return nil }
        exponent += power
      }
    }

    var isWrittenOut: Bool { exponent >= -4 && exponent < 15 }

    /// Keeps the given number of digits, rounding half up, and drops trailing zeros.
    mutating func round(to count: Int) {
      if digits.count > count {
        let up = digits[count] >= 5
        digits.removeSubrange(count...)
        if up { increment() }
      }
      while digits.count > 1, digits.last == 0 { digits.removeLast() }
    }

    private mutating func increment() {
      var index = digits.count
      while index > 0 {
        index -= 1
        if digits[index] < 9 {
          digits[index] += 1
          return
        }
        digits[index] = 0
      }
      digits.insert(1, at: 0)
      exponent += 1
    }

    var text: String {
      let shown = digits.map { String($0) }
      guard isWrittenOut else {
        let size = exponent.magnitude
        return shown[0] + (shown.count > 1 ? "." + shown[1...].joined() : "")
          + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + String(size)
      }
      if exponent < 0 {
        return "0." + String(repeating: "0", count: -exponent - 1) + shown.joined()
      }
      let whole = min(exponent + 1, shown.count)
      let zeros = String(repeating: "0", count: exponent + 1 - whole)
      let fraction = shown[whole...].joined()
      return shown[..<whole].joined() + zeros + (fraction.isEmpty ? "" : "." + fraction)
    }
  }
}
