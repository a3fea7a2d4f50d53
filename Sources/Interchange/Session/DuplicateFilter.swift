public import EventLog
public import Events

/// Deduplicates the events of an input against a log, so that importing is idempotent: importing the same file twice
/// adds nothing, importing a longer version adds the rest.
///
/// An event with an id is a duplicate if the log has the id or it occurred before. An event without one is identified
/// by its content: its k-th occurrence in an input is a duplicate if the log had it k times before the input. So two
/// equal lines of one file are two events, and importing the file again adds none.
///
/// Call ``addKnown(_:)`` for every event of the log first, and ``beginInput()`` before each input. Not thread-safe.
public final class DuplicateFilter {
  /// Finds the facts by which the filter knows events.
  let inspector: EventInspector
  private var known: KnownEvents
  private let makeMap: () -> FingerprintMap

  /// Creates a filter without known events.
  ///
  /// - Parameters:
  ///   - key: The key that makes fingerprints unpredictable to the author of the input.
  ///   - directory: The directory for temporary files if there are more events than fit in memory.
  ///   - memoryCapacity: The number of fingerprints kept in memory, twice: for known events and for those of the
  ///     current input. Each takes 32 to 64 bytes. Units with a decision take up to 64 MiB besides.
  public convenience init(
    key: FingerprintKey = .random(), directory: String, memoryCapacity: Int = 1 << 20
  ) {
    self.init(key: key) {
      FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)
    }
  }

  /// Creates a filter with custom maps.
  package init(key: FingerprintKey, makeMap: @escaping () -> FingerprintMap) {
    inspector = EventInspector(
      fingerprint: RecordFingerprint(key: key), unit: UnitHash(key: key))
    self.makeMap = makeMap
    known = KnownEvents(
      occurrences: Occurrences(known: makeMap(), seen: makeMap()),
      decisions: DecisionIndex(rest: makeMap()))
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
  /// - Throws: ``ImportError`` if a temporary file fails.
  public func beginInput() throws(ImportError) {
    try translated { () throws(FingerprintMapError) in try known.occurrences.beginInput(makeMap) }
  }

  /// Returns whether the log has the event, and counts it for the events that follow.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  /// - Complexity: O(length of the event), and a few page reads once memory is full.
  public func isAlreadyThere(_ record: EventRecord) throws(ImportError) -> Bool {
    let key = inspector.fingerprint(record)
    return try translated { () throws(FingerprintMapError) in
      try known.occurrences.isAlreadyThere(key, hasID: record[.id].isPresent)
    }
  }

  /// Finds the events that the log does not have, and checks these.
  ///
  /// - Parameters:
  ///   - facts: The facts of events in order.
  ///   - kept: The indices of the events that are new are appended.
  ///   - check: Checks the events that are new.
  /// - Throws: ``ImportError`` if a temporary file fails.
  func keepNew(
    of facts: [EventFacts], in kept: inout [Int], _ check: inout QualityCheck
  ) throws(ImportError) {
    try translated { () throws(FingerprintMapError) in
      try known.keepNew(of: facts, in: &kept, &check)
    }
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

/// What is known of the events of the log and of the current input.
private struct KnownEvents {
  var occurrences: Occurrences
  var decisions: DecisionIndex
  /// Accumulates loaded values, so that the compiler does not optimize the loads away.
  private var touched: UInt64 = 0

  init(occurrences: Occurrences, decisions: DecisionIndex) {
    self.occurrences = occurrences
    self.decisions = decisions
  }

  /// Adds an event of the log.
  mutating func add(_ event: EventFacts) throws(FingerprintMapError) {
    try occurrences.addKnown(event.fingerprint, hasID: event.flags.contains(.hasID))
    if event.flags.contains(.isDecision) { try decisions.insert(event.unit) }
  }

  /// Finds the events that are new, and checks these. What is known of all events is loaded first, so that the processor
  /// waits for many places at once instead of one after the other.
  mutating func keepNew(
    of facts: [EventFacts], in kept: inout [Int], _ check: inout QualityCheck
  ) throws(FingerprintMapError) {
    for event in facts {
      touched &+= occurrences.touch(event.fingerprint)
      if event.unit != 0 { touched &+= decisions.touch(event.unit) }
    }
    for (index, event) in facts.enumerated() {
      if try occurrences.isAlreadyThere(event.fingerprint, hasID: event.flags.contains(.hasID)) {
        continue
      }
      kept.append(index)
      check.check(event)
      if event.flags.contains(.isDecision) { try decisions.insert(event.unit) }
      if event.flags.contains(.needsDecision), try !decisions.contains(event.unit) {
        check.addGoalBeforeDecision(line: event.line)
      }
    }
  }
}
