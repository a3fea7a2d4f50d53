/// A name as a key of dictionaries and sets: names are told apart by their UTF-8 bytes, and ordered by them.
///
/// Swift's `String` takes canonically equivalent texts, such as "é" in one character or in two, for equal; in a log,
/// they are two names.
package struct NameKey: Hashable, Comparable, Sendable {
  /// The name.
  package let text: String

  /// Creates the key of a name.
  package init(_ text: String) { self.text = text }

  /// Compares the UTF-8 bytes.
  package static func == (a: NameKey, b: NameKey) -> Bool { a.text.isSameName(as: b.text) }

  /// Hashes the UTF-8 bytes, consistently with `==`.
  package func hash(into hasher: inout Hasher) {
    var text = text
    // Safety: the buffer is used only within the closure.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Compares the UTF-8 bytes.
  package static func < (a: NameKey, b: NameKey) -> Bool { a.text.isNameBefore(b.text) }
}

extension String {
  /// Returns whether both names have the same UTF-8 bytes.
  package func isSameName(as other: String) -> Bool {
    utf8.count == other.utf8.count && nameOrder(against: other) == 0
  }

  /// Returns whether the bytes of the name are before those of another.
  package func isNameBefore(_ other: String) -> Bool {
    nameOrder(against: other) < 0
  }

  /// Returns whether the bytes of the name are before (-1), the same as (0) or after (1) those of another.
  package func nameOrder(against other: String) -> Int {
    let (a, b) = (utf8Span.span, other.utf8Span.span)
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index] ? -1 : 1
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }
}

extension Sequence<String> {
  /// The distinct names, sorted by their bytes.
  package var distinctNames: [String] { Set(map(NameKey.init)).sorted().map(\.text) }

  /// Returns whether a name is among them.
  package func hasName(_ name: String) -> Bool { contains { $0.isSameName(as: name) } }
}

extension Collection<String> {
  /// Returns the index of the first name with the same bytes.
  package func firstIndex(ofName name: String) -> Index? {
    firstIndex { $0.isSameName(as: name) }
  }
}
