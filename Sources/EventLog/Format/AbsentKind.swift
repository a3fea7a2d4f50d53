/// The kinds of rows that keep a position whose event has been removed. They are stored in the column of kinds and in
/// the header's set of kinds, beyond every kind of event; such a row has no other value.
///
/// Positions are therefore never given to another event, and codes of names stay the same, whatever is removed from a
/// log.
package enum AbsentKind {
  /// The event was erased on purpose.
  package static let erased: UInt8 = 62
  /// The event was damaged, and dropped.
  package static let lost: UInt8 = 63

  /// Returns whether a row of the kind has no event.
  package static func contains(_ kind: some BinaryInteger) -> Bool {
    kind == erased || kind == lost
  }
}
