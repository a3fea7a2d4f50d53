/// Reads what identifies the events of a frame that have an id: kind, id and slot, whose columns are the only ones
/// read.
struct FrameIdentities {
  private let log: LogReader
  private let slots: LogNames
  private let fingerprint: RecordFingerprint

  /// - Throws: ``LogError`` if the names of slots cannot be read.
  init(_ log: LogReader, key: FingerprintKey) throws(LogError) {
    self.log = log
    slots = try LogNames(log, [.slots])
    fingerprint = RecordFingerprint(key: key)
  }

  /// Returns the rows of a frame that have an id, with the fingerprint of each.
  func rows(of frame: FrameInfo) throws(LogError) -> [(row: Int, identity: Fingerprint)] {
    let reader = FrameReader(log: log, frame: frame)
    guard let ids = try reader.texts(.id) else { return [] }
    let kinds = try reader.integers(.kind, as: UInt8.self)
    let codes = try reader.codes(.slot, in: .slots)
    var rows: [(row: Int, identity: Fingerprint)] = []
    ids.present.forEachSet { row in
      let code = row < codes.count ? codes[row] : 0
      let slot = code == 0 ? nil : slots.bytes(code, in: .slots)
      let identity = fingerprint.identity(
        kind: kinds[row], id: ids.texts[rows.count], slot: slot)
      rows.append((row, identity))
    }
    return rows
  }
}

extension LogReader {
  /// Returns whether events from a position on may have ids; no event is read.
  package func hasIDs(from position: UInt64 = 0) -> Bool {
    frames.contains { $0.isKnown && $0.endPosition > position && $0.entry(.id) != nil }
  }

  /// Returns the number of events that have an id, and of those that share kind, id and slot with an earlier one.
  ///
  /// - Returns: The two numbers, without the events of frames whose ids are damaged, if damage is skipped.
  /// - Throws: ``LogError`` if the ids of a frame cannot be read and may not be skipped, or a temporary file fails.
  /// - Complexity: O(events with an id); only their ids, kinds and slots are read.
  package func sharedIDs() throws(LogError) -> (events: Int, shared: Int) {
    let identities = try FrameIdentities(self, key: .random())
    // The log may be one that only can be read.
    var known = FingerprintMap(directory: TemporaryFile.folder, memoryCapacity: 1 << 20)
    var (events, shared) = (0, 0)
    for frame in frames where frame.isKnown {
      // Whoever does not ask for ids loses no event by damage to them.
      let rows = try passingOver(noEvent: true) { () throws(LogError) in try identities.rows(of: frame) }
      for (_, identity) in rows ?? [] {
        events += 1
        do throws(FingerprintMapError) {
          if try known.increment(identity) > 0 { shared += 1 }
        } catch {
          throw LogError(.inputOutput, error.description, path: TemporaryFile.folder)
        }
      }
    }
    return (events, shared)
  }
}
