/// Percent-encoding of texts in paths and queries (RFC 3986, section 2.1).
enum PercentCoding {
  /// Returns the decoded text; nil if an escape is malformed, or the bytes are not UTF-8. With `plusIsSpace`, `+` stands
  /// for a space, as in forms.
  static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
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
        PercentCoding.decode(parts[0], plusIsSpace: true),
        parts.count > 1 ? PercentCoding.decode(parts[1], plusIsSpace: true) : ""
      )
    }
  }
}
