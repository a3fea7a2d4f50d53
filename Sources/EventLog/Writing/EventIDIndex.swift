internal import Events

/// An index of the ids of the events of a log, so that none is appended twice.
///
/// Kind, id and slot are identified by a 128-bit fingerprint under an unpredictable key: with a billion ids the
/// probability that any two collide is below 1e-20. Nothing is stored with the log: the ids are read from it, so after
/// any crash the index matches the log. The content of an event from before the index was built is read when another
/// comes with its identity, together with that of the other events of its frame.
///
/// Memory: 32 to 64 bytes for each of at most a million ids, twice, and 64 MiB of filters for the others, which spill
/// to temporary files in the log's folder. Once an earlier event came again, also the names of the log.
struct EventIDIndex {
  /// The largest number in the index stands for every position from there on.
  private static let farPosition = UInt32.max

  private let path: String
  private let key: FingerprintKey
  private var positions: FingerprintMap
  /// The hash of the content of events that this writer appended, or that came again.
  private var contents: FingerprintMap
  /// The log as it was when the index was built, and its names once they are needed.
  private var earlier: (log: LogReader, names: LogNames?)?

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
  /// differ; nil if there is none. It is not known of an event whose frame is damaged, or beyond four billion others.
  ///
  /// - Throws: ``LogError`` if a temporary file fails.
  mutating func find(_ event: EventIdentity) throws(LogError) -> AppendedOnce? {
    guard let number = try value(of: event.fingerprint, in: positions) else { return nil }
    let position = number == Self.farPosition ? nil : UInt64(number)
    var content = try value(of: event.fingerprint, in: contents)
    if content == nil, let position {
      try readContents(ofFrameWith: position)
      content = try value(of: event.fingerprint, in: contents)
    }
    return AppendedOnce(
      .alreadyThere(position: position), differs: content != nil && content != event.check)
  }

  private func value(
    of identity: Fingerprint, in map: FingerprintMap
  ) throws(LogError) -> UInt32? {
    try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
      if map.isEmpty { return nil }
      return try map.value(for: identity)
    }
  }

  /// Reads the content of the events with an id in the frame of a position.
  private mutating func readContents(ofFrameWith position: UInt64) throws(LogError) {
    guard let log = earlier?.log,
      let frame = log.frames.first(where: {
        $0.isKnown && $0.basePosition <= position && position < $0.endPosition
      })
    else { return }
    for (event, position) in identities(of: frame, log)
    where try value(of: event.fingerprint, in: positions) == UInt32(exactly: position) {
      try setContent(of: event)
    }
  }

  /// Returns the events of a frame that have an id, up to the first that is damaged.
  private mutating func identities(
    of frame: FrameInfo, _ log: LogReader
  ) -> [(event: EventIdentity, position: UInt64)] {
    var found: [(event: EventIdentity, position: UInt64)] = []
    do throws(LogError) {
      if earlier?.names == nil { earlier?.names = try LogNames(log, Set(Vocabulary.allCases)) }
      guard let names = earlier?.names else { return found }
      var rows = try RowReader(FrameReader(log: log, frame: frame), names)
      var record = EventRecord()
      for position in frame.basePosition..<frame.endPosition
      where try rows.next(into: &record) && record[.id].isPresent {
        found.append((event: identity(of: record), position: position))
      }
    } catch {
      // What is damaged stays unknown: the events after it are still told by kind, id and slot.
    }
    return found
  }

  /// Adds an event that is appended; if an earlier one has its identity, that one stays the first.
  mutating func add(_ event: EventIdentity, position: UInt64) throws(LogError) {
    try add(RecentIDs.Entry(event, position: position))
  }

  private mutating func add(_ entry: RecentIDs.Entry) throws(LogError) {
    let known = try value(of: entry.event.fingerprint, in: positions)
    guard known == nil else { return }
    try set(entry.event.fingerprint, entry.position)
    try setContent(of: entry.event)
  }

  private mutating func setContent(of event: EventIdentity) throws(LogError) {
    try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
      try contents.set(event.check, for: event.fingerprint)
    }
  }

  private mutating func set(_ identity: Fingerprint, _ position: UInt64) throws(LogError) {
    let number = UInt32(exactly: position) ?? Self.farPosition
    try FingerprintMapError.translated(path) { () throws(FingerprintMapError) in
      try positions.set(number, for: identity)
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
    earlier = (log, nil)
    let identities = try FrameIdentities(log, key: key)
    for frame in log.frames.reversed() where frame.isKnown && frame.basePosition < end {
      try between(&self)
      for (row, identity) in try identities.rows(of: frame).reversed() {
        try set(identity, frame.basePosition + UInt64(row))
      }
    }
  }
}
