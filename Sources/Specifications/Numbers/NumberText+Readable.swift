extension NumberText {
  /// Returns the number rounded for reading: `0.333333`, `1234568`, `1.5e-07`, `10`.
  ///
  /// Numbers from 0.0001 up to 1e15 are written without exponent and keep every digit before the point; others have
  /// an exponent. The shortest decimal text, as in the other formats, is rounded, half away from zero.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - digits: The number of significant digits, at least 1.
  /// - Returns: The text; empty for a number that is not finite.
  package static func readable(_ value: Double, digits: Int = 6) -> String {
    var plain: [UInt8] = []
    append(cell: value, to: &plain)
    guard integer(value) == nil, var parts = Parts(plain) else {
      return String(decoding: plain, as: UTF8.self)
    }
    parts.round(to: parts.isWrittenOut ? max(digits, parts.exponent + 1) : digits)
    return (value < 0 ? "-" : "") + parts.text
  }

  /// Returns the number with a number of decimal places, at most 9; unchanged if it has too many digits for that.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - places: The number of decimal places.
  ///   - dropsZeros: Whether zeros at the end are left out.
  /// - Returns: The text.
  package static func fixed(_ number: Double, places: Int, dropsZeros: Bool = false) -> String {
    let scale = (0..<max(0, min(9, places))).reduce(1) { scale, _ in scale * 10 }
    let scaled = (number * Double(scale)).rounded()
    guard abs(scaled) < 1e15 else { return "\(number)" }
    let (whole, rest) = Int(abs(scaled)).quotientAndRemainder(dividingBy: scale)
    var fraction = String(rest + scale).dropFirst()
    while dropsZeros, fraction.last == "0" { fraction.removeLast() }
    return (scaled < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Returns a share in per cent, with two decimals from 0.1 % on and two significant digits below: `12.30 %`.
  package static func share(_ share: Double) -> String {
    let percent = share * 100
    let size = percent.magnitude
    let text =
      size >= 1e12
      ? readable(percent) : size >= 0.1 ? fixed(percent, places: 2) : readable(percent, digits: 2)
    return text + " %"
  }

  /// Returns an amount in the largest unit that leaves a number of at least 1, with one decimal below ten: `950`,
  /// `1.2k`, `1.5 MiB`. Truncated, not rounded: the amount shown has been reached.
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - step: The ratio of a unit to the one before.
  ///   - names: The names of the units, the smallest first.
  /// - Returns: The text.
  package static func scaled(_ amount: Int, step: UInt, names: [String]) -> String {
    let rest = amount.magnitude
    var size: UInt = 1
    var index = 0
    while index + 1 < names.count, rest / size >= step {
      size *= step
      index += 1
    }
    let whole = "\(amount < 0 ? "-" : "")\(rest / size)"
    guard index > 0, rest / size < 10 else { return whole + names[index] }
    return "\(whole).\(rest % size / (size / 10 + (size % 10 == 0 ? 0 : 1)))\(names[index])"
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
