public import EventLog
public import Events

/// Decides which events of an input the log has already, so that importing is idempotent: the same
/// file twice adds nothing, a longer one adds the rest.
///
/// An event with an id is there already when the id is known or came before. An event without one is
/// told by its content: its k-th occurrence in an input is there already when the log held it k times
/// before the input. So two equal lines of one file are two events, and the file again is none.
///
/// Begin with ``addKnown(_:)`` for every event of the log, and call ``beginInput()`` before each
/// input. Not thread-safe.
public final class DuplicateFilter {
  private let fingerprint: RecordFingerprint
  /// How often each content is in the log, and 1 for each id.
  private var known: FingerprintMap
  /// How often each content came in the current input.
  private var seen: FingerprintMap
  private let makeMap: () -> FingerprintMap

  /// Makes a filter that knows no events yet.
  ///
  /// - Parameters:
  ///   - key: Makes fingerprints unpredictable to whoever wrote the input.
  ///   - directory: Where temporary files go when there are more events than fit in memory.
  ///   - memoryCapacity: How many fingerprints stay in memory, twice: for what is known and for what
  ///     came in the current input. Each takes 32 to 64 bytes.
  public convenience init(
    key: FingerprintKey = .random(), directory: String, memoryCapacity: Int = 1 << 20
  ) {
    self.init(key: key) {
      FingerprintMap(directory: directory, memoryCapacity: memoryCapacity)
    }
  }

  /// Makes a filter with maps of the caller's choice.
  package init(key: FingerprintKey, makeMap: @escaping () -> FingerprintMap) {
    fingerprint = RecordFingerprint(key: key)
    self.makeMap = makeMap
    known = makeMap()
    seen = makeMap()
  }

  /// Says that the log holds an event.
  ///
  /// - Throws: ``ImportError`` `cannotWrite` or `cannotRead` when a temporary file fails.
  public func addKnown(_ record: EventRecord) throws(ImportError) {
    let key = fingerprint(record)
    try translated { () throws(FingerprintMapError) in
      let count = record[.id].isPresent ? 0 : try known.value(for: key) ?? 0
      try known.set(count == .max ? count : count + 1, for: key)
    }
  }

  /// Begins an input: what came in the one before is known from now on.
  ///
  /// - Throws: ``ImportError`` when a temporary file fails.
  public func beginInput() throws(ImportError) {
    guard !seen.isEmpty else { return }
    if known.isEmpty {
      swap(&known, &seen)
      return
    }
    try translated { () throws(FingerprintMapError) in
      // The log now holds each content as often as it did before or as often as it came, whichever is
      // more: the occurrences up to what was known were not appended again.
      try seen.forEach { (key, count) throws(FingerprintMapError) in
        if count > (try known.value(for: key) ?? 0) { try known.set(count, for: key) }
      }
    }
    seen = makeMap()
  }

  /// Whether the log has the event already; takes note of it for the events that follow.
  ///
  /// - Throws: ``ImportError`` when a temporary file fails.
  /// - Complexity: O(length of the event), and a few reads of a page once memory is full.
  public func isAlreadyThere(_ record: EventRecord) throws(ImportError) -> Bool {
    let key = fingerprint(record)
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
