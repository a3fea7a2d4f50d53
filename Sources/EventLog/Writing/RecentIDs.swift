/// The ids of events that are appended while the index of the log's ids is being built, in the order of positions.
///
/// Whoever builds the index takes them out again and again, so only those of a moment are here.
struct RecentIDs: Sendable {
  struct Entry: Sendable {
    var id: Fingerprint
    var position: UInt64
  }

  /// The key of the index.
  let key: FingerprintKey
  /// The position before which the ids are read from the frames of the log.
  let firstPosition: UInt64
  private(set) var entries: [Entry] = []

  init(key: FingerprintKey, firstPosition: UInt64) {
    self.key = key
    self.firstPosition = firstPosition
  }

  mutating func add(_ id: ArraySlice<UInt8>, position: UInt64) {
    entries.append(Entry(id: SipHash.hash(id, key: key), position: position))
  }

  /// Removes and returns the ids.
  mutating func take() -> [Entry] {
    defer { entries = [] }
    return entries
  }
}
