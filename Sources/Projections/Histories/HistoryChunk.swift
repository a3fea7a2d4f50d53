internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// The events of some units of a bucket, by ascending codes, in one blob of about 4,000 bytes:
///
///     chunk  = crc:u32, count, count × (code, length, time), count × events
///     code   = quotient of the unit's code by the number of buckets, less that of the unit before
///     length = the number of bytes of its events
///     time   = of its first event, less that of the unit before
///
/// The checksum (CRC-32C) covers what follows it.
struct HistoryChunk {
  /// The code of the last unit, the key of the chunk.
  var last: UInt32
  var bytes: [UInt8]

  /// The position of a unit's events.
  struct Entry {
    var unit: UInt32
    var first: Int64
    var range: Range<Int>
  }

  /// Returns the units of a chunk.
  ///
  /// - Throws: `StateError` if the bytes are damaged.
  static func entries(
    of bytes: [UInt8], bucket: Int, bucketCount: Int
  ) throws(StateError) -> [Entry] {
    guard isSealed(bytes) else {
      throw StateError("a checksum does not match")
    }
    var reader = StateReader(bytes, 4..<bytes.count)
    let count = try reader.readCount(below: bytes.count)
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    var code = 0
    var time: Int64 = 0
    var offset = 0
    for _ in 0..<count {
      code += try reader.readCount(below: 1 << 32)
      let length = try reader.readCount(below: bytes.count)
      time &+= try reader.readSigned()
      guard let unit = UInt32(exactly: code * bucketCount + bucket) else {
        throw StateError("a unit's code is too large")
      }
      entries.append(Entry(unit: unit, first: time, range: offset..<offset + length))
      offset += length
    }
    let start = reader.position
    guard start + offset == bytes.count else { throw StateError("a chunk has another length") }
    for index in entries.indices {
      let range = entries[index].range
      entries[index].range = range.lowerBound + start..<range.upperBound + start
    }
    return entries
  }

  /// Appends the events of a unit.
  ///
  /// - Throws: `StateError` if the bytes are damaged.
  static func read(
    _ entry: Entry, of bytes: [UInt8], arms: [Arm], into events: inout [UnitEvent]
  ) throws(StateError) {
    var reader = StateReader(bytes, entry.range)
    try EventCode.read(&reader, unit: entry.unit, first: entry.first, arms: arms, into: &events)
  }

  /// Returns whether the checksum of the bytes is correct.
  static func isSealed(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 4 else { return false }
    let crc = Checksum.crc32c(bytes[4...])
    return (0..<4).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: crc >> (8 * UInt32($0))) }
  }

  /// Returns bytes prefixed with their checksum.
  static func sealed(_ content: [UInt8]) -> [UInt8] {
    let crc = Checksum.crc32c(content)
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: crc >> $0) } + content
  }
}

/// Writes the events of units into chunks, one unit after the other.
struct HistoryWriter {
  /// Four chunks fill a page of 16 KiB.
  private static let limit = 4_000

  private let bucketCount: UInt32
  private(set) var chunks: [HistoryChunk] = []
  /// The number of units added since the chunks were taken.
  private(set) var unitCount = 0
  private var count = 0
  private var last: UInt32 = 0
  private var lastTime: Int64 = 0
  private var index = StateWriter()
  private var body = StateWriter()
  private var unit = StateWriter()

  init(bucketCount: Int) { self.bucketCount = UInt32(bucketCount) }

  /// Adds the events of a unit, whose code is larger than that of the one before.
  mutating func add(_ events: Span<UnitEvent>) {
    guard !events.isEmpty else { return }
    unit.removeAll()
    EventCode.write(events, to: &unit)
    if count > 0, index.count + body.count + unit.count + 20 > Self.limit { endChunk() }
    let code = events[0].unit / bucketCount
    index.write(UInt64(count == 0 ? code : code - last / bucketCount))
    index.write(UInt64(unit.count))
    index.write(signed: events[0].time &- lastTime)
    body.write(bytes: unit.bytes)
    last = events[0].unit
    lastTime = events[0].time
    count += 1
    unitCount += 1
  }

  /// Removes and returns all chunks.
  mutating func takeChunks() -> [HistoryChunk] {
    endChunk()
    defer {
      chunks.removeAll()
      unitCount = 0
    }
    return chunks
  }

  private mutating func endChunk() {
    guard count > 0 else { return }
    var content = StateWriter()
    content.write(UInt64(count))
    content.write(bytes: index.bytes)
    content.write(bytes: body.bytes)
    chunks.append(HistoryChunk(last: last, bytes: HistoryChunk.sealed(content.bytes)))
    index.removeAll()
    body.removeAll()
    count = 0
    last = 0
    lastTime = 0
  }
}
