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
  /// Identifies the events that the filter is asked for.
  let identifier: EventIdentifier
  /// The number of times each content is in the log, and 1 for each id.
  private var known: FingerprintMap
  /// The number of times each content occurred in the current input.
  private var seen: FingerprintMap
  private var decisions: DecisionIndex
  private let makeMap: () -> FingerprintMap
  /// Accumulates prefetched values, so that the compiler does not optimize the prefetch away.
  private var touched: UInt64 = 0

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
    let fingerprint = RecordFingerprint(key: key)
    identifier = EventIdentifier(fingerprint: fingerprint, units: UnitHash(key: key))
    self.makeMap = makeMap
    known = makeMap()
    seen = makeMap()
    decisions = DecisionIndex(fingerprint, rest: makeMap())
  }

  /// Adds an event of the log.
  ///
  /// - Throws: ``ImportError`` `cannotWrite` or `cannotRead` if a temporary file fails.
  public func addKnown(_ record: EventRecord) throws(ImportError) {
    let identity = identifier(record)
    try translated { () throws(FingerprintMapError) in
      let count = record[.id].isPresent ? 0 : try known.value(for: identity.fingerprint) ?? 0
      try known.set(count == .max ? count : count + 1, for: identity.fingerprint)
    }
    if record.kind == .decision { try addDecision(record, identity.unit) }
  }

  /// Adds a decision of the import, for the goals that follow; the hash of its unit is given.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  func addDecision(_ record: EventRecord, _ unit: UInt64) throws(ImportError) {
    try translated { () throws(FingerprintMapError) in try decisions.add(record, unit) }
  }

  /// Returns whether the unit of a goal has a decision of the experiment, in the log or before it in the import; the
  /// hash of its unit is given.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  func hasDecision(for goal: EventRecord, _ unit: UInt64) throws(ImportError) -> Bool {
    try translated { () throws(FingerprintMapError) in try decisions.contains(goal, unit) }
  }

  /// Begins an input: the events of the previous one become known.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  public func beginInput() throws(ImportError) {
    guard !seen.isEmpty else { return }
    if known.isEmpty {
      swap(&known, &seen)
      return
    }
    try translated { () throws(FingerprintMapError) in
      // The log now has each content as often as before or as often as it occurred, whichever is
      // more: occurrences up to the known number were not appended again.
      try seen.forEach { (key, count) throws(FingerprintMapError) in
        if count > (try known.value(for: key) ?? 0) { try known.set(count, for: key) }
      }
    }
    seen = makeMap()
  }

  /// Returns whether the log has the event, and counts it for the events that follow.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  /// - Complexity: O(length of the event), and a few page reads once memory is full.
  public func isAlreadyThere(_ record: EventRecord) throws(ImportError) -> Bool {
    try isAlreadyThere(record, identifier.fingerprint(record))
  }

  /// Prefetches what is known of events, so that the processor waits for many places at once instead of one after the
  /// other.
  func prefetch(_ origins: ArraySlice<RecordBatch.Origin>) {
    let knowsNone = known.isEmpty
    for origin in origins {
      touched &+= seen.touch(origin.fingerprint)
      if !knowsNone { touched &+= known.touch(origin.fingerprint) }
      if origin.unit != 0 { touched &+= decisions.touch(origin.unit) }
    }
  }

  /// Returns whether the log has the event, whose fingerprint is given, and counts it for the events that follow.
  ///
  /// - Throws: ``ImportError`` if a temporary file fails.
  func isAlreadyThere(_ record: EventRecord, _ key: Fingerprint) throws(ImportError) -> Bool {
    let hasID = record[.id].isPresent
    return try translated { () throws(FingerprintMapError) in
      let before = known.isEmpty ? 0 : try known.value(for: key) ?? 0
      if hasID, before > 0 { return true }
      let earlier = try seen.value(for: key) ?? 0
      if hasID, earlier > 0 { return true }
      let count = earlier == .max ? earlier : earlier + 1
      try seen.set(count, for: key)
      return count <= before
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
