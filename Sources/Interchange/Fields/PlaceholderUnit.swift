package import Events

/// The texts by which systems write that there is no unit. Taken as one, they would be a single unit with the events of
/// everyone who is unknown.
package enum PlaceholderUnit {
  private static let texts: [StaticString] = [
    "null", "[null]", "(null)", "<null>", "\\n", "none", "(none)", "undefined", "nan", "nil",
    "n/a", "#n/a", "<na>", "<nil>", "nat", "(not set)", "00000000-0000-0000-0000-000000000000",
  ]
  private static let longest = 40
  /// A bit for each length of a text.
  private static let lengths = texts.reduce(into: UInt64(0)) { $0 |= 1 << $1.utf8CodeUnitCount }

  /// Returns why the unit of an event cannot be one, for messages; nil if it can.
  package static func problem(of event: borrowing EventRecord) -> String? {
    let unit = event.bytes.span.extracting(event[.unit].range)
    return matches(unit) ? "the unit \"\(unit.string)\" stands for a missing one" : nil
  }

  /// Returns whether a text stands for a missing unit: `NULL`, `\N`, `None`, `undefined`, `NaN`, `(not set)` and the
  /// like in small or capital letters, the UUID of zeros, or blanks.
  static func matches(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, mayMatch(text[0], count: text.count) else { return false }
    let plain = text.rangeWithoutBlanks
    if plain.isEmpty { return true }
    guard lengths >> plain.count & 1 == 1 else { return false }
    return texts.contains { text.extracting(plain).isSame(as: $0) }
  }

  /// Returns whether a text may match, by its first byte and its length.
  @inline(__always)
  private static func mayMatch(_ first: UInt8, count: Int) -> Bool {
    guard count <= longest else { return false }
    switch first | 0x20 {
    case UInt8(ascii: "u"): return count >= 9
    case UInt8(ascii: "n"), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "\\"), UInt8(ascii: "|"),
      UInt8(ascii: "#"), UInt8(ascii: "0"), 0x20, 0x29:
      return true  // Blanks, and tabs with the bit of small letters.
    default: return false
    }
  }
}

extension ImportedRecord {
  /// Checks that the units of the events are not texts that stand for a missing one, unless these are kept.
  ///
  /// - Throws: ``Rejection`` `placeholder`.
  mutating func checkUnits() throws(Rejection) {
    guard !keepsPlaceholders else { return }
    for index in 0..<count { try events[index].checkUnit() }
  }
}

extension EventRecord {
  /// Checks the unit, in place: Swift copies the record otherwise.
  fileprivate mutating func checkUnit() throws(Rejection) {
    guard let problem = PlaceholderUnit.problem(of: self) else { return }
    var rejection = Rejection(.placeholder, problem)
    rejection.unit = string(.unit) ?? ""
    throw rejection
  }
}
