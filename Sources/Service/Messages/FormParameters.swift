internal import Specifications

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
        PercentCoding.decode(parts[0], .query),
        parts.count > 1 ? PercentCoding.decode(parts[1], .query) : ""
      )
    }
  }
}
