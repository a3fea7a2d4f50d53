internal import Events

/// An index of the ids of the events of a log, so that none is appended twice.
///
/// Kind, id and slot are identified by a 128-bit fingerprint under an unpredictable key: with a billion ids the
/// probability that any two collide is below 1e-20. Nothing is stored with the log: the ids are read from it, so after
/// any crash the index matches the log. The content of an event is compared if it was appended by the same writer.
///
/// Memory: 32 to 64 bytes for each of at most a million ids, twice, and 64 MiB of filters for the others, which spill to
/// temporary files in the log's folder.
struct EventIDIndex {
  /// The largest number in the index stands for every position from there on.
  private static let farPosition = UInt32.max

  private let path: String
  private let key: FingerprintKey
  private var positions: FingerprintMap
  /// The hash of the content of events that this writer appended.
  private var contents: FingerprintMap

  init(path: String, key: FingerprintKey = .random(), memoryCapacity: Int = 1 << 20) {
    self.path = path
    self.key = key
    positions = FingerprintMap(
      directory: path, memoryCapacity: memoryCapacity, filterBudget: 32 << 20)
    contents = FingerprintMap(
      directory: path, memoryCapacity: memoryCapacity, filterBudget: 32 << 20)
  }

  /// Returns the identity of an event.
  func identity(of record: borrowing EventRecord) -> EventIdentity {
    RecordFingerprint(key: key).identity(of: record)
  }

  /// Returns the position of the first event with the kind, id and slot of another, and whether its content is known to
  /// differ; nil if there is none.
  ///
  /// - Throws: ``LogError`` if a temporary file fails.
  func find(_ event: EventIdentity) throws(LogError) -> AppendedOnce? {
    try translated { () throws(FingerprintMapError) in
      guard let number = try positions.value(for: event.fingerprint) else { return nil }
      let position = number == Self.farPosition ? nil : UInt64(number)
      let content = contents.isEmpty ? nil : try contents.value(for: event.fingerprint)
      return AppendedOnce(
        .alreadyThere(position: position), differs: content != nil && content != event.check)
    }
  }

  /// Adds an event that is appended; if an earlier one has its identity, that one stays the first.
  mutating func add(_ event: EventIdentity, position: UInt64) throws(LogError) {
    try add(RecentIDs.Entry(event, position: position))
  }

  private mutating func add(_ entry: RecentIDs.Entry) throws(LogError) {
    let known = try translated { () throws(FingerprintMapError) in
      try positions.value(for: entry.event.fingerprint)
    }
    guard known == nil else { return }
    try set(entry.event.fingerprint, entry.position)
    do throws(FingerprintMapError) {
      try contents.set(entry.event.check, for: entry.event.fingerprint)
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
  }

  private mutating func set(_ identity: Fingerprint, _ position: UInt64) throws(LogError) {
    let number = UInt32(exactly: position) ?? Self.farPosition
    do throws(FingerprintMapError) {
      try positions.set(number, for: identity)
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
  }

  private func translated<Result>(
    _ body: () throws(FingerprintMapError) -> Result
  ) throws(LogError) -> Result {
    do throws(FingerprintMapError) {
      return try body()
    } catch {
      throw LogError(.inputOutput, error.description, path: path)
    }
  }
}

// MARK: Building

extension EventIDIndex {
  /// Adds ids of events in the order of positions, after everything that was added in that order before.
  mutating func add(_ recent: [RecentIDs.Entry]) throws(LogError) {
    for entry in recent { try add(entry) }
  }

  /// Adds the ids of the events of a log before a position.
  ///
  /// Later events are read first, because the number that is set last is kept: so it may also be called after later
  /// ids were added.
  ///
  /// - Parameters:
  ///   - log: The log, with all events before the position.
  ///   - end: The position.
  ///   - between: Called before each frame.
  /// - Throws: ``LogError`` if the ids of a frame cannot be read, and errors of `between`.
  /// - Complexity: O(events with an id); only their ids, kinds and slots are read.
  mutating func add(
    _ log: LogReader, before end: UInt64,
    between: (inout EventIDIndex) throws(LogError) -> Void
  ) throws(LogError) {
    guard log.eventCount >= end else {
      throw LogError(
        .damaged, "the events \(log.eventCount) to \(end - 1) were written and are missing",
        path: path)
    }
    let identities = try FrameIdentities(log, key: key)
    for frame in log.frames.reversed() where frame.isKnown && frame.basePosition < end {
      try between(&self)
      for (row, identity) in try identities.rows(of: frame).reversed() {
        try set(identity, frame.basePosition + UInt64(row))
      }
    }
  }
}
