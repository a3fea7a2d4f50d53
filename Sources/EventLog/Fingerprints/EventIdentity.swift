/// What tells an event with an id from others: kind, id and slot, and its content.
package struct EventIdentity: Hashable, Sendable {
  /// The fingerprint of kind, id and slot.
  package let fingerprint: Fingerprint
  /// The hash of everything that the event says.
  package let content: UInt64

  package init(_ fingerprint: Fingerprint, content: UInt64) {
    (self.fingerprint, self.content) = (fingerprint, content)
  }

  /// The hash of the content in the size of a map's values, never 0: a difference is missed with a probability of 2e-10.
  package var check: UInt32 { max(1, UInt32(truncatingIfNeeded: content)) }

  /// The fingerprint of an event that shares kind, id and slot with another.
  package var withContent: Fingerprint {
    Fingerprint(high: fingerprint.high ^ content, low: fingerprint.low &+ content)
  }
}
