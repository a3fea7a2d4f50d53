internal import Events

/// What could be read of a log: at which positions, and a hash of all events in order. Two are equal when the same
/// events could be read at the same positions.
struct ReadDigest: Equatable {
  private(set) var positions = RangeSet<UInt64>()
  private var hash: UInt64 = 0
  /// The positions that count; all when nil.
  private let wanted: RangeSet<UInt64>?
  /// The last positions, side by side, which are not among the others yet.
  private var open: Range<UInt64> = 0..<0
  private var bytes: [UInt8] = []

  /// A digest of every event that is added.
  init() { wanted = nil }

  /// A digest of those events that the other has.
  init(only other: ReadDigest) {
    var positions = other.positions
    positions.insert(contentsOf: other.open)
    wanted = positions
  }

  /// Adds an event. Those before it must have been added already.
  mutating func add(_ record: EventRecord, at position: UInt64) {
    if let wanted, !wanted.contains(position) { return }
    bytes.removeAll(keepingCapacity: true)
    bytes.appendLittleEndian(hash)
    bytes.appendLittleEndian(position)
    JSONLinesEncoder.append(record, to: &bytes)
    hash = StableHash.of(bytes[...])
    if open.upperBound != position || open.isEmpty {
      positions.insert(contentsOf: open)
      open = position..<position
    }
    open = open.lowerBound..<position + 1
  }

  static func == (a: ReadDigest, b: ReadDigest) -> Bool {
    // The positions are in the hash.
    a.hash == b.hash
  }
}
