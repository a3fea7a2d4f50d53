/// The order in which people look for names: runs of digits by their value, so that `v2` comes before `v10`.
///
/// Upper and lower case letters of ASCII are alike at first; names that are equal but for case or for leading zeros are
/// told apart by their bytes, so that the order is total and the same everywhere. Output that programs read is in the
/// order of the bytes instead.
public enum NaturalOrder {
  /// Returns whether a text comes before another.
  ///
  /// - Complexity: O(length).
  public static func precedes(_ a: String, _ b: String) -> Bool { compare(a, b) < 0 }

  /// Returns whether a text comes before (-1), with (0) or after (1) another; 0 only for the same bytes.
  ///
  /// - Complexity: O(length).
  public static func compare(_ a: String, _ b: String) -> Int {
    let (first, second) = (a.utf8Span.span, b.utf8Span.span)
    var (i, j) = (0, 0)
    while i < first.count, j < second.count {
      if isDigit(first[i]), isDigit(second[j]) {
        let (x, y) = (digits(first, from: i), digits(second, from: j))
        if x.count != y.count { return x.count < y.count ? -1 : 1 }
        for (p, q) in zip(x, y) where first[p] != second[q] { return first[p] < second[q] ? -1 : 1 }
        (i, j) = (x.upperBound, y.upperBound)
      } else {
        let (p, q) = (lowered(first[i]), lowered(second[j]))
        if p != q { return p < q ? -1 : 1 }
        i += 1
        j += 1
      }
    }
    let (left, right) = (first.count - i, second.count - j)
    if left != right { return left < right ? -1 : 1 }
    return bytewise(first, second)
  }

  /// Returns the places of a run of digits without its leading zeros.
  private static func digits(_ bytes: Span<UInt8>, from start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    var first = start
    while first < end, bytes[first] == UInt8(ascii: "0") { first += 1 }
    return first..<end
  }

  private static func bytewise(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index] ? -1 : 1
    }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
