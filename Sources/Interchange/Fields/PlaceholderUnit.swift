package import Events

/// The texts by which systems write that there is no unit. Taken as one, they would be a single unit with the events of
/// everyone who is unknown.
package enum PlaceholderUnit {
  private static let texts: Set<[UInt8]> = Set(
    [
      "null", "[null]", "(null)", "<null>", "\\n", "none", "(none)", "undefined", "nan", "nil",
      "n/a", "#n/a", "<na>", "<nil>", "nat", "(not set)", "00000000-0000-0000-0000-000000000000",
    ].map { Array($0.utf8) })
  private static let longest = 40

  /// Returns why the unit of an event cannot be one, for messages; nil if it can.
  package static func problem(of event: borrowing EventRecord) -> String? {
    found(in: event).map { "the unit \"\($0)\" stands for a missing one" }
  }

  /// Returns the unit of an event if it is a text that stands for a missing one.
  fileprivate static func found(in event: borrowing EventRecord) -> String? {
    let unit = event.bytes[event[.unit].range]
    guard let first = unit.first, mayMatch(first, count: unit.count), matches(unit) else {
      return nil
    }
    return String(decoding: unit, as: UTF8.self)
  }

  /// Returns whether a text stands for a missing unit: `NULL`, `\N`, `None`, `undefined`, `NaN`, `(not set)` and the
  /// like in small or capital letters, the UUID of zeros, or blanks.
  static func matches(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count <= longest else { return false }
    let blanks: Set<UInt8> = [0x20, 0x09]
    var small = text.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    while let last = small.last, blanks.contains(last) { small.removeLast() }
    let start = small.firstIndex { !blanks.contains($0) } ?? 0
    return small.isEmpty || texts.contains(Array(small[start...]))
  }

  /// Returns whether a text may match, by its first byte and its length.
  @inline(__always)
  static func mayMatch(_ first: UInt8, count: Int) -> Bool {
    guard count <= longest else { return false }
    switch first | 0x20 {
    case UInt8(ascii: "n"), UInt8(ascii: "u"), UInt8(ascii: "["), UInt8(ascii: "{"),
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
  func checkUnits() throws(Rejection) {
    guard !keepsPlaceholders else { return }
    for index in 0..<count {
      guard let problem = PlaceholderUnit.problem(of: events[index]) else { continue }
      var rejection = Rejection(.placeholder, problem)
      rejection.unit = PlaceholderUnit.found(in: events[index]) ?? ""
      throw rejection
    }
  }
}
