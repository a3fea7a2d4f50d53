extension String {
  /// Whether both texts have the same UTF-8 bytes.
  ///
  /// - Complexity: O(1) when the lengths differ.
  @inlinable
  package func hasSameBytes(as other: String) -> Bool {
    let (a, b) = (utf8.span, other.utf8.span)
    guard a.count == b.count else { return false }
    for index in a.indices where a[index] != b[index] { return false }
    return true
  }

  /// Hashes the UTF-8 bytes and their end, to agree with ``hasSameBytes(as:)``.
  @inlinable
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    // Safety: the buffer is read before the closure ends.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
