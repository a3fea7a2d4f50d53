public import EventLog
public import Events

/// Deduplicates the events of an input against a log, so that importing is idempotent: importing the same file twice
/// adds nothing, importing a longer version adds the rest.
///
/// The identity of an event with an id is its kind, id and slot, and it is a duplicate if the same content has occurred
/// with it. With other content it is a different event: it is kept, or refused where the source promises that its ids
/// are unique (``ImportedRecord/hasUniqueIDs``), and counted either way. An event without an id is identified by its
/// content: its k-th occurrence in an input is a duplicate if the log had it k times before the input. So two equal
/// lines of one file are two events, and importing the file again adds none.
///
/// Call ``addKnown(_:)`` for every event of the log first, and ``beginInput()`` before each input. Not thread-safe.
public final class DuplicateFilter {
  /// Finds the facts by which the filter knows events.
  let inspector: EventInspector
  private var known: KnownEvents

  /// Creates a filter without known events.
  ///
  /// - Parameters:
  ///   - key: The key that makes fingerprints unpredictable to the author of the input.
  ///   - directory: The directory for temporary files if there are more events than fit in memory.
  ///   - memoryCapacity: The number of fingerprints kept in memory, twice: for known events and for those of the
  ///     current input. Each takes 32 to 64 bytes. Units with a decision take up to 64 MiB besides.
  public init(
    key: FingerprintKey = .random(), directory: String, memoryCapacity: Int = 1 << 20
  ) {
    inspector = EventInspector(fingerprint: RecordFingerprint(key: key))
    known = KnownEvents(
      occurrences: Occurrences(directory: directory, memoryCapacity: memoryCapacity),
      decisions: DecisionIndex(
        rest: FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)))
  }

  /// Adds an event of the log.
  ///
  /// - Throws: ``ImportError`` `cannotWrite` or `cannotRead` if a temporary file fails.
  public func addKnown(_ record: EventRecord) throws(ImportError) {
    var record = record
    let facts = inspector.facts(of: &record)
    try translated { () throws(FingerprintMapError) in try known.add(facts) }
  }

  /// Begins an input: the events of the previous one become known.
  ///
  /// - Parameter continues: Whether the events known before are those before it in the same file, and no others: an
  ///   event without an id is then new.
  /// - Throws: ``ImportError`` if a temporary file fails.
  public func beginInput(continues: Bool = false) throws(ImportError) {
    try translated { () throws(FingerprintMapError) in
      try known.occurrences.beginInput(continues: continues)
    }
  }

  /// Returns whether the log has the event, and counts it for the events that follow.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  /// - Complexity: O(length of the event), and a few page reads once memory is full.
  public func isAlreadyThere(_ record: EventRecord) throws(ImportError) -> Bool {
    var record = record
    let facts = inspector.facts(of: &record)
    return try translated { () throws(FingerprintMapError) in
      switch try known.occurrences.find(facts) {
      case .same, .refused: true
      case .new, .other: false
      }
    }
  }

  /// Finds the events that the log does not have, and checks these.
  ///
  /// - Parameters:
  ///   - facts: The facts of events in order.
  ///   - kept: The indices of the events that are new are appended.
  ///   - check: Checks the events that are new.
  /// - Returns: The number of events with the identity of another and other content: those that are kept, and those
  ///   that are not.
  /// - Throws: ``ImportError`` if a temporary file fails.
  func keepNew(
    of facts: [EventFacts], in kept: inout [Int], _ check: inout QualityCheck
  ) throws(ImportError) -> (kept: Int, refused: Int) {
    try translated { () throws(FingerprintMapError) in
      try known.keepNew(of: facts, in: &kept, &check)
    }
  }

  /// Calls a closure and forgets the events that it has seen.
  package func trial<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = known
    defer { known = before }
    return try body()
  }

  private func translated<Result>(
    _ body: () throws(FingerprintMapError) -> Result
  ) throws(ImportError) -> Result {
    do throws(FingerprintMapError) {
      return try body()
    } catch {
      throw ImportError(
        error.code == .cannotRead ? .cannotRead : .cannotWrite,
        "de-duplication: \(error.description)")
    }
  }
}

/// The events of the log and of the current input, by identity.
private struct KnownEvents {
  var occurrences: Occurrences
  var decisions: DecisionIndex

  init(occurrences: Occurrences, decisions: DecisionIndex) {
    self.occurrences = occurrences
    self.decisions = decisions
  }

  /// Adds an event of the log.
  mutating func add(_ event: EventFacts) throws(FingerprintMapError) {
    try occurrences.addKnown(event)
    if event.flags.contains(.isDecision) { try decisions.insert(event.unit) }
  }

  /// Finds the events that are new, and checks these. What is known of all events is loaded first, so that the
  /// processor waits for many places at once instead of one after the other.
  mutating func keepNew(
    of facts: [EventFacts], in kept: inout [Int], _ check: inout QualityCheck
  ) throws(FingerprintMapError) -> (kept: Int, refused: Int) {
    for event in facts {
      occurrences.prefetch(event)
      if event.unit != 0 { decisions.prefetch(event.unit) }
    }
    var differing = (kept: 0, refused: 0)
    for (index, event) in facts.enumerated() {
      switch try occurrences.find(event) {
      case .same: continue
      case .refused:
        differing.refused += 1
        check.add(.refusedID, line: event.line)
        continue
      case .other:
        differing.kept += 1
        check.add(.sharedID, line: event.line)
      case .new: break
      }
      kept.append(index)
      check.check(event)
      if event.flags.contains(.isDecision) { try decisions.insert(event.unit) }
      if event.flags.contains(.needsDecision), try !decisions.contains(event.unit) {
        check.add(.goalBeforeDecision, line: event.line)
      }
    }
    return differing
  }
}
