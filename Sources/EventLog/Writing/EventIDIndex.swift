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
    if try find(id) == nil { try set(id, position) }
  }

  private mutating func set(_ id: ArraySlice<UInt8>, _ position: UInt64) throws(LogError) {
    let fingerprint = SipHash.hash(id, key: key)
    let number = UInt32(exactly: position) ?? Self.farPosition
    do throws(FingerprintMapError) {
      try positions.set(number, for: fingerprint)
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

extension EventIDIndex {
  /// Reads the ids of a log, and of the pending events that follow it.
  ///
  /// Later events are read first, because the number that is set last is kept.
  ///
  /// - Throws: ``LogError`` if the ids of a frame cannot be read.
  /// - Complexity: O(events with an id); only the column of ids is read.
  init(
    path: String, disk: any Disk, waiting: BatchBuilder, behind position: UInt64
  ) throws(LogError) {
    self.init(path: path)
    try add(waiting.columns.ids.texts, rows: waiting.columns.ids.rows, base: position)
    let log = try LogReader(path, disk: disk)
    for frame in log.frames.reversed() where frame.isKnown {
      guard let ids = try FrameReader(log: log, frame: frame).texts(.id) else { continue }
      var rows: [Int] = []
      ids.present.forEachSet { rows.append($0) }
      try add(ids.texts, rows: rows, base: frame.basePosition)
    }
  }

  private mutating func add(
    _ ids: TextList, rows: [Int], base: UInt64
  ) throws(LogError) {
    for (index, row) in rows.enumerated().reversed() {
      try set(ids[index], base + UInt64(row))
    }
  }
}
