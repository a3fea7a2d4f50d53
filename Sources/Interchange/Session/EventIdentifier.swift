import EventLog
import Events

/// What identifies an event and its unit among those of the log and the import.
struct Identity: Sendable {
  /// The fingerprint of the event.
  var fingerprint: Fingerprint
  /// The hash of its experiment and unit, for decisions and goals; 0 for others.
  var unit: UInt64
}

/// Computes identities, under the keys of a ``DuplicateFilter``.
struct EventIdentifier: Sendable {
  let fingerprint: RecordFingerprint
  let units: UnitHash

  func callAsFunction(_ event: EventRecord) -> Identity {
    let hasUnit = event.kind == .decision || event.kind == .goal
    return Identity(fingerprint: fingerprint(event), unit: hasUnit ? units(event) : 0)
  }
}
