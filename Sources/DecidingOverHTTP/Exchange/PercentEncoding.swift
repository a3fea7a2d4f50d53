/// Percent-encoding of texts in URLs (RFC 3986, section 2.1).
enum PercentEncoding {
  /// Returns the text as one segment of a path, or as one value of a query: every byte of its UTF-8
  /// form is escaped, except for unreserved characters and the `,` and `:` of choices.
  static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a text can be a segment of a path: an empty one can be dropped on the way, and `.` and
  /// `..` stand for other segments even when they are escaped.
  static func isSegment(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    return !(bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") })
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~,:".utf8.contains(byte)
    }
  }
}
