/// An index of the ids of the events of a log, so that none is appended twice.
///
/// An id is identified by a 128-bit fingerprint under an unpredictable key: with a billion ids the probability that
/// any two collide is below 1e-20. Nothing is stored with the log: the ids are read from it, so after any crash the
/// index matches the log.
///
/// Memory: 32 to 64 bytes for each of at most a million ids, and 64 MiB of filters for the others, which spill to
/// temporary files in the log's folder.
struct EventIDIndex {
  /// The largest number in the index stands for every position from there on.
  private static let farPosition = UInt32.max

  private let path: String
  private let key: FingerprintKey
  private var positions: FingerprintMap

  init(path: String, key: FingerprintKey = .random(), memoryCapacity: Int = 1 << 20) {
    self.path = path
    self.key = key
    positions = FingerprintMap(directory: path, memoryCapacity: memoryCapacity)
  }

  /// Returns the position of the first event with an id; nil if there is none.
  ///
  /// - Throws: ``LogError`` if a temporary file fails.
  func find(_ id: ArraySlice<UInt8>) throws(LogError) -> Appended? {
    try translated { () throws(FingerprintMapError) in
      try positions.value(for: SipHash.hash(id, key: key)).map {
        .alreadyThere(position: $0 == Self.farPosition ? nil : UInt64($0))
      }
    }
  }

  /// Adds the id of an event; if an earlier event has it, that one stays the first.
  mutating func add(_ id: ArraySlice<UInt8>, position: UInt64) throws(LogError) {
    try add(RecentIDs.Entry(id: SipHash.hash(id, key: key), position: position))
  }

  private mutating func add(_ entry: RecentIDs.Entry) throws(LogError) {
    let known = try translated { () throws(FingerprintMapError) in
      try positions.value(for: entry.id)
    }
    if known == nil { try set(entry) }
  }

  private mutating func set(_ entry: RecentIDs.Entry) throws(LogError) {
    let number = UInt32(exactly: entry.position) ?? Self.farPosition
    do throws(FingerprintMapError) {
      try positions.set(number, for: entry.id)
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
  /// - Complexity: O(events with an id); only the column of ids is read.
  mutating func add(
    _ log: LogReader, before end: UInt64,
    between: (inout EventIDIndex) throws(LogError) -> Void
  ) throws(LogError) {
    guard log.eventCount >= end else {
      throw LogError(
        .damaged, "the events \(log.eventCount) to \(end - 1) were written and are missing",
        path: path)
    }
    for frame in log.frames.reversed() where frame.isKnown && frame.basePosition < end {
      try between(&self)
      guard let ids = try FrameReader(log: log, frame: frame).texts(.id) else { continue }
      var rows: [Int] = []
      ids.present.forEachSet { rows.append($0) }
      for (index, row) in rows.enumerated().reversed() {
        try set(
          RecentIDs.Entry(
            id: SipHash.hash(ids.texts[index], key: key),
            position: frame.basePosition + UInt64(row)))
      }
    }
  }
}
