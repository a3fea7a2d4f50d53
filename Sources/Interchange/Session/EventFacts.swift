import EventLog
import Events

/// The facts about an event by which an import decides whether it is new, and checks it: found while the event is read,
/// so that the event itself is not looked at again until it is appended.
struct EventFacts: Sendable {
  /// Facts that hold or do not.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt16

    /// The event has an id.
    static let hasID = Flags(rawValue: 1)
    /// It is the first of its record.
    static let isFirst = Flags(rawValue: 2)
    /// It is a goal that was not refused, and the event before it in the record is not its decision.
    static let needsDecision = Flags(rawValue: 4)
    /// It is a decision.
    static let isDecision = Flags(rawValue: 8)
    /// Its propensity is not in (0, 1].
    static let hasBadPropensity = Flags(rawValue: 16)
    /// Its probabilities are not in [0, 1], or do not sum to 1.
    static let hasBadProbabilities = Flags(rawValue: 32)
    /// Its variant is not among its choices.
    static let hasUnknownVariant = Flags(rawValue: 64)
    /// Its format promises that no other event has its id.
    static let hasUniqueID = Flags(rawValue: 128)
    /// A variant occurs twice among its choices.
    static let hasRepeatedChoices = Flags(rawValue: 256)
  }

  /// The fingerprint that identifies the event.
  var fingerprint: Fingerprint
  /// The hash of everything that an event with an id says; 0 for others.
  var content: UInt64
  /// The hash of the experiment and the unit of a decision or a goal; 0 for others.
  var unit: UInt64
  /// The time, in microseconds since 1970.
  var time: Int64
  /// The time by which the event is later than its receipt, in microseconds; 0 if that is not known.
  var lead: Int64
  /// The number of the first line of its record.
  var line: Int
  var flags: Flags
  /// The kind of the event.
  var kind: EventKind
}

/// Finds the facts of events, under the keys of a ``DuplicateFilter``.
struct EventInspector: Sendable {
  let fingerprint: RecordFingerprint

  /// Returns the facts of an event of a record.
  func facts(of record: inout ImportedRecord, at index: Int) -> EventFacts {
    let follows = record.followsItsDecision(index)
    let received = record.received?.microseconds
    var facts = facts(of: &record.events[index])
    facts.line = record.line
    if let received { facts.lead = facts.time - received }
    if index == 0 { facts.flags.insert(.isFirst) }
    if follows { facts.flags.remove(.needsDecision) }
    if record.hasUniqueIDs { facts.flags.insert(.hasUniqueID) }
    return facts
  }

  /// Returns the facts of an event alone, which stays as it is: it is passed in place, because Swift copies its arrays
  /// otherwise.
  func facts(of event: inout EventRecord) -> EventFacts {
    var flags: EventFacts.Flags = event[.id].isPresent ? .hasID : []
    switch event.kind {
    case .decision: flags.formUnion(Self.flags(ofDecision: event))
    case .goal: if event.status != .refused { flags.insert(.needsDecision) }
    default: break
    }
    let hasUnit = event.kind == .decision || event.kind == .goal
    return EventFacts(
      fingerprint: fingerprint(event),
      content: flags.contains(.hasID) ? fingerprint.content(of: event) : 0,
      unit: hasUnit ? fingerprint.unit(of: event) : 0,
      time: event.time.microseconds, lead: 0, line: 0, flags: flags, kind: event.kind)
  }

  private static func flags(ofDecision event: borrowing EventRecord) -> EventFacts.Flags {
    var flags: EventFacts.Flags = .isDecision
    if let propensity = event.propensity, !(propensity > 0 && propensity <= 1) {
      flags.insert(.hasBadPropensity)
    }
    if event.hasProbabilities, !isDistribution(event.probabilities) {
      flags.insert(.hasBadProbabilities)
    }
    if event.hasChoices, !hasChosen(event) { flags.insert(.hasUnknownVariant) }
    if event.hasChoices, hasRepeatedChoices(event) { flags.insert(.hasRepeatedChoices) }
    return flags
  }

  private static func hasRepeatedChoices(_ event: borrowing EventRecord) -> Bool {
    let count = event.choices.count
    guard count <= 16 else {
      var names: Set<ArraySlice<UInt8>> = []
      for choice in event.choices where !names.insert(event.bytes[choice.range]).inserted {
        return true
      }
      return false
    }
    for index in 0..<count {
      for earlier in 0..<index where event.isEqual(event.choices[earlier], event.choices[index]) {
        return true
      }
    }
    return false
  }

  private static func isDistribution(_ probabilities: [Double]) -> Bool {
    var sum = 0.0
    for probability in probabilities {
      guard probability >= 0, probability <= 1 else { return false }
      sum += probability
    }
    return probabilities.isEmpty || (sum - 1).magnitude <= 1e-6
  }

  private static func hasChosen(_ event: borrowing EventRecord) -> Bool {
    let variant = event[.variant]
    for choice in event.choices where event.isEqual(choice, variant) { return true }
    return false
  }
}
