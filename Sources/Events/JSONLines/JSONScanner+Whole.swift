extension JSONScanner {
  /// Checks that the text is one JSON value with nothing but white space around it, nested no deeper than
  /// ``deepestNesting``.
  ///
  /// - Complexity: O(length), without recursion.
  static func requireValue(_ text: Span<UInt8>) throws(JSONLineError) {
    var scanner = JSONScanner()
    _ = try scanner.skipValue(text)
    try scanner.requireEnd(text)
  }

  /// Checks that the text consists of the members of an object without the braces.
  ///
  /// - Parameters:
  ///   - text: The members, separated by commas; at least one.
  ///   - onKnown: Called for each member whose name is a field of events, with the offset of the name.
  /// - Returns: The range of each member.
  /// - Throws: ``JSONLineError`` if the text is anything else, and errors of the closure.
  /// - Complexity: O(length), without recursion.
  static func members(
    _ text: Span<UInt8>, onKnown: (JSONLineField, Int) throws(JSONLineError) -> Void
  ) throws(JSONLineError) -> [Range<Int>] {
    var scanner = JSONScanner()
    var members: [Range<Int>] = []
    repeat {
      let key = try scanner.key(text)
      if let field = JSONLineField(key, text) { try onKnown(field, key.start - 1) }
      members.append(key.start - 1..<(try scanner.skipValue(text)))
    } while scanner.skip(",", text)
    try scanner.requireEnd(text)
    return members
  }

  private mutating func requireEnd(_ text: Span<UInt8>) throws(JSONLineError) {
    skipSpace(text)
    guard position == text.count else {
      throw .expected("nothing more", at: position, in: text)
    }
  }

  /// Returns whether the bytes are valid UTF-8.
  static func isUTF8(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      guard text[index] >= 0x80 else {
        index += 1
        continue
      }
      guard let end = try? endOfScalar(at: index, text) else { return false }
      index = end
    }
    return true
  }
}

extension JSONLineField {
  private static let byName = KeywordTable(allCases.map { ($0.name, $0) })

  /// Creates the field that a key names; nil if it names none.
  init?(_ key: JSONString, _ text: Span<UInt8>) {
    var name: [UInt8] = []
    if key.hasEscapes {
      JSONScanner.unescape(key, text, into: &name)
    } else {
      name.append(text.extracting(key.start..<key.end))
    }
    guard let field = Self.byName.value(at: 0, count: name.count, in: name.span) else { return nil }
    self = field
  }
}
