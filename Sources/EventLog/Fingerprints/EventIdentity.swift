/// The identity of an event with an id: kind, id and slot, and its content.
package struct EventIdentity: Hashable, Sendable {
  /// The fingerprint of kind, id and slot.
  package let fingerprint: Fingerprint
  /// The hash of everything that the event says.
  package let content: UInt64

  package init(_ fingerprint: Fingerprint, content: UInt64) {
    (self.fingerprint, self.content) = (fingerprint, content)
  }

  /// The hash of the content in the size of a map's values, never 0: a difference is missed with a probability of
  /// 2e-10.
  package var check: UInt32 { max(1, UInt32(truncatingIfNeeded: content)) }

  /// The fingerprint of an event that shares kind, id and slot with another.
  package var withContent: Fingerprint {
    Fingerprint(high: fingerprint.high ^ content, low: fingerprint.low &+ content)
  }
}

/// The events with an id that a map knows. Of the first one of an identity it has the hash of the content; those that
/// share the identity and differ have entries of their own.
extension FingerprintMap {
  /// Returns whether the map has an event with its content; nil if it has none of the identity.
  package func has(_ event: EventIdentity) throws(FingerprintMapError) -> Bool? {
    guard !isEmpty, let first = try value(for: event.fingerprint) else { return nil }
    if first == event.check { return true }
    return try hasOther(event)
  }

  /// Returns whether the map has the event as one that differs from the first of its identity.
  package func hasOther(_ event: EventIdentity) throws(FingerprintMapError) -> Bool {
    guard !isEmpty else { return false }
    return try value(for: event.withContent) != nil
  }

  /// Adds an event of which the map has none of the identity.
  package mutating func addFirst(_ event: EventIdentity) throws(FingerprintMapError) {
    try set(event.check, for: event.fingerprint)
  }

  /// Adds an event that differs from the first of its identity.
  package mutating func addOther(_ event: EventIdentity) throws(FingerprintMapError) {
    try set(1, for: event.withContent)
  }
}
