extension String {
  /// Returns whether this text contains the bytes of the other one.
  ///
  /// - Complexity: O(bytes of both), even for repetitive texts (D. E. Knuth, J. H. Morris and V. R. Pratt,
  ///   "Fast pattern matching in strings", 1977).
  package func hasBytes(_ part: String) -> Bool {
    let (text, wanted) = (utf8.span, part.utf8.span)
    guard wanted.count > 0 else { return true }
    guard wanted.count <= text.count else { return false }
    let borders = Self.borders(of: wanted)
    var matched = 0
    for index in text.indices {
      while matched > 0, wanted[matched] != text[index] { matched = borders[matched - 1] }
      if wanted[matched] == text[index] { matched += 1 }
      if matched == wanted.count { return true }
    }
    return false
  }

  /// Returns for each prefix of the text the length of its longest border: the longest proper prefix that is
  /// also a suffix of it.
  private static func borders(of text: Span<UInt8>) -> [Int] {
    var borders = [0]
    borders.reserveCapacity(text.count)
    for index in 1..<text.count {
      var border = borders[index - 1]
      while border > 0, text[border] != text[index] { border = borders[border - 1] }
      borders.append(text[border] == text[index] ? border + 1 : 0)
    }
    return borders
  }
}
