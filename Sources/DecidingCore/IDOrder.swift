internal import Specifications

/// The order of ids that can be numbers: all-digit ids by value, then the others by UTF-8 bytes.
package enum IDOrder {
  /// Returns whether `a` precedes `b`. Ids with the same value, such as `7` and `007`, are ordered by length,
  /// the shorter first.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    switch (digits(a), digits(b)) {
    case (let x?, let y?):
      if x.count != y.count { return x.count < y.count }
      if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
      return a.utf8.count < b.utf8.count
    case (.some, nil): return true
    case (nil, .some): return false
    case (nil, nil): return a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }

  /// Returns the digits without leading zeros; nil when the id is empty or has other characters.
  private static func digits(_ id: String) -> Substring.UTF8View? {
    guard !id.isEmpty, id.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return id.drop { $0 == "0" }.utf8
  }
}
