/// Kinds of rows that keep a position whose event is no longer there. They stand in the column of kinds
/// and in the header's set of kinds, beyond every kind of event; such a row has no other value.
///
/// So positions are never given to another event, and codes of names stay what they were, whatever is
/// taken out of a log.
package enum AbsentKind {
  /// The event was erased on purpose.
  package static let erased: UInt8 = 62
  /// The event was damaged, and given up.
  package static let lost: UInt8 = 63

  /// Whether a row of the kind has no event.
  package static func contains(_ kind: some BinaryInteger) -> Bool {
    kind == erased || kind == lost
  }
}
