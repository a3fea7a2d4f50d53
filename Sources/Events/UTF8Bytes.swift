extension String {
  /// Returns whether both texts have the same UTF-8 bytes.
  ///
  /// - Complexity: O(1) if the lengths differ.
  @inlinable
  package func hasSameBytes(as other: String) -> Bool {
    let (a, b) = (utf8.span, other.utf8.span)
    guard a.count == b.count else { return false }
    for index in a.indices where a[index] != b[index] { return false }
    return true
  }

  /// Hashes the UTF-8 bytes and their end, consistently with ``hasSameBytes(as:)``.
  @inlinable
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    // Safety: the buffer is used only within the closure.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
