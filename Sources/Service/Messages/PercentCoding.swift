/// Percent-encoding of texts in paths and queries (RFC 3986, section 2.1).
enum PercentCoding {
  /// Returns the decoded text; nil if an escape is malformed, or the bytes are not UTF-8.
  ///
  /// In a form, and in a query, `+` stands for a space, and escapes that are not UTF-8 are those of JavaScript's
  /// `escape()`, which old clients use: `%E9` is the character U+00E9, and `%u20AC` U+20AC.
  static func decode(_ text: some Sequence<UInt8>, isForm: Bool = false) -> String? {
    var bytes: [UInt8] = []
    // What the text is if each escape is a UTF-16 code unit.
    var units: [UInt16] = []
    var (hasUnits, isPlain) = (false, true)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let next = rest.next() else { return nil }
        if next == UInt8(ascii: "u") || next == UInt8(ascii: "U") {
          guard let unit = number(4, &rest) else { return nil }
          units.append(unit)
          hasUnits = true
        } else {
          guard let high = digit(next), let low = rest.next().flatMap(digit) else { return nil }
          bytes.append(high << 4 | low)
          units.append(UInt16(high << 4 | low))
        }
      case UInt8(ascii: "+") where isForm:
        bytes.append(UInt8(ascii: " "))
        units.append(0x20)
      default:
        bytes.append(byte)
        units.append(UInt16(byte))
        if byte >= 0x80 { isPlain = false }
      }
    }
    if !hasUnits, let text = String(validating: bytes, as: UTF8.self) { return text }
    return isForm && isPlain ? String(validating: units, as: UTF16.self) : nil
  }

  private static func number(
    _ count: Int, _ rest: inout some IteratorProtocol<UInt8>
  ) -> UInt16? {
    var number: UInt16 = 0
    for _ in 0..<count {
      guard let digit = rest.next().flatMap(digit) else { return nil }
      number = number << 4 | UInt16(digit)
    }
    return number
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The parameters of a query or of a form body (`application/x-www-form-urlencoded`).
enum FormParameters {
  /// A parameter; the value is empty if it had no equals sign. Nil if an escape is malformed.
  typealias Element = (name: String?, value: String?)

  /// Parses parameters, in order.
  static func parse(_ text: some Sequence<UInt8>) -> [Element] {
    Array(text).split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (
        PercentCoding.decode(parts[0], isForm: true),
        parts.count > 1 ? PercentCoding.decode(parts[1], isForm: true) : ""
      )
    }
  }
}
