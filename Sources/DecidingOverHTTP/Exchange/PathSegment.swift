internal import Specifications

/// Segments of paths, and values of queries, in addresses.
enum PathSegment {
  /// Returns the percent-encoded text, in which the `,` and `:` of choices are kept.
  static func encode(_ text: String) -> String { PercentCoding.encode(text, keeping: ",:") }

  /// Whether a text can be a segment of a path: an empty one can be dropped on the way, and `.` and
  /// `..` stand for other segments even when they are escaped.
  static func isSegment(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    return !(bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") })
  }
}
