internal import Events

/// A digest of what could be read of a log: the positions, and a hash of all events in order. Two digests are equal if
/// the same events could be read at the same positions.
struct ReadDigest: Equatable {
  private(set) var positions = RangeSet<UInt64>()
  private var hash: UInt64 = 0
  /// The positions to include; nil for all.
  private let wanted: RangeSet<UInt64>?
  /// The most recent contiguous positions, which are not in the set yet.
  private var open: Range<UInt64> = 0..<0
  private var bytes: [UInt8] = []

  /// Creates a digest of every event that is added.
  init() { wanted = nil }

  /// Creates a digest that only includes the positions of another.
  init(only other: ReadDigest) {
    var positions = other.positions
    positions.insert(contentsOf: other.open)
    wanted = positions
  }

  /// Adds an event. Events must be added in the order of their positions.
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
    // The hash includes the positions.
    a.hash == b.hash
  }
}
