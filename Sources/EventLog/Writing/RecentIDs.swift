internal import Events

/// The ids of events that are appended while the index of the log's ids is being built, in the order of positions.
///
/// Whoever builds the index takes them out again and again, so only those of a moment are here.
struct RecentIDs: Sendable {
  struct Entry: Sendable {
    var event: EventIdentity
    var position: UInt64

    init(_ event: EventIdentity, position: UInt64) {
      (self.event, self.position) = (event, position)
    }
  }

  /// The key of the index.
  let key: FingerprintKey
  /// The position before which the ids are read from the frames of the log.
  let firstPosition: UInt64
  private(set) var entries: [Entry] = []

  mutating func add(_ record: borrowing EventRecord, position: UInt64) {
    let event = RecordFingerprint(key: key).identity(of: record)
    entries.append(Entry(event, position: position))
  }

  /// Removes and returns the ids.
  mutating func take() -> [Entry] {
    defer { entries = [] }
    return entries
  }
}
