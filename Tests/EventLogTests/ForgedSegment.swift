@testable import EventLog

/// A segment taken apart, to be changed at will and put together again with checksums that are right: what
/// an attacker, or a writer gone wrong, could leave behind.
struct ForgedSegment {
  /// The 64 bytes of the segment's header.
  var header: [UInt8]
  var frames: [ForgedFrame] = []

  /// Takes a whole segment apart, all of whose frames are as they were written.
  init(_ bytes: [UInt8]) {
    header = Array(bytes.prefix(SegmentHeader.byteCount))
    var offset = SegmentHeader.byteCount
    while offset + FrameHeader.byteCount <= bytes.count {
      let length = Int(bytes.littleEndian(UInt32.self, at: offset + 8))
      guard length > 0, offset + length <= bytes.count else { return }
      frames.append(ForgedFrame(Array(bytes[offset..<offset + length])))
      offset += length
    }
  }

  /// The bytes of the segment, every checksum and the chain made right.
  var bytes: [UInt8] {
    var output = header + frames.flatMap(\.bytes)
    Self.repair(&output)
    return output
  }

  /// Makes every checksum and the chain of a segment right, in place, as far as its frames can be walked.
  static func repair(_ bytes: inout [UInt8]) {
    guard bytes.count >= SegmentHeader.byteCount else { return }
    bytes.replaceLittleEndian(Checksum.crc32c(bytes[..<60]), at: 60)
    var previous = Checksum.crc32c(bytes[..<60])
    var offset = SegmentHeader.byteCount
    while offset + FrameHeader.byteCount <= bytes.count {
      let length = Int(bytes.littleEndian(UInt32.self, at: offset + 8))
      let meta = FrameHeader.byteCount + columnCount(bytes, offset) * ColumnEntry.byteCount + 8
      bytes.replaceLittleEndian(previous, at: offset + 96)
      let headerCheck = Checksum.crc32c(bytes[offset..<offset + 124])
      bytes.replaceLittleEndian(headerCheck, at: offset + 124)
      guard length >= meta + FrameHeader.trailerByteCount, offset + length <= bytes.count else {
        return
      }
      previous = repairFrame(&bytes, offset, length, meta, headerCheck)
      offset += length
    }
  }

  private static func columnCount(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes.littleEndian(UInt16.self, at: offset + 6))
  }

  private static func repairFrame(
    _ bytes: inout [UInt8], _ offset: Int, _ length: Int, _ meta: Int, _ headerCheck: UInt32
  ) -> UInt32 {
    var sums: [UInt8] = []
    for index in 0..<columnCount(bytes, offset) {
      let entry = offset + FrameHeader.byteCount + index * ColumnEntry.byteCount
      let start = Int(bytes.littleEndian(UInt32.self, at: entry + 8))
      let end = start + Int(bytes.littleEndian(UInt32.self, at: entry + 12))
      if start >= meta, end <= length - FrameHeader.trailerByteCount {
        let check = Checksum.crc32c(bytes[offset + start..<offset + end])
        bytes.replaceLittleEndian(check, at: entry + 20)
      }
      sums.append(contentsOf: bytes[entry + 20..<entry + 24])
    }
    let directory = offset + FrameHeader.byteCount..<offset + meta - 8
    let directoryCheck = Checksum.crc32c(bytes[directory])
    bytes.replaceLittleEndian(directoryCheck, at: directory.upperBound)
    var both: [UInt8] = []
    both.appendLittleEndian(headerCheck)
    both.appendLittleEndian(directoryCheck)
    let check = Checksum.crc32c(both + sums)
    let trailer = offset + length - FrameHeader.trailerByteCount
    bytes.replaceSubrange(trailer..<trailer + 4, with: bytes[offset + 8..<offset + 12])
    bytes.replaceLittleEndian(check, at: trailer + 4)
    bytes.replaceSubrange(trailer + 8..<trailer + 12, with: bytes[offset + 12..<offset + 16])
    return check
  }
}

/// A frame taken apart. Its length, and where its chunks stand, are made right; its other fields are what
/// they are set to.
struct ForgedFrame {
  /// The 128 bytes of the header.
  var header: [UInt8]
  var chunks: [ForgedChunk] = []

  init(_ bytes: [UInt8]) {
    header = Array(bytes.prefix(FrameHeader.byteCount))
    for index in 0..<Int(header.littleEndian(UInt16.self, at: 6)) {
      let at = FrameHeader.byteCount + index * ColumnEntry.byteCount
      let entry = Array(bytes[at..<at + ColumnEntry.byteCount])
      let start = Int(entry.littleEndian(UInt32.self, at: 8))
      let stored = bytes[start..<start + Int(entry.littleEndian(UInt32.self, at: 12))]
      chunks.append(ForgedChunk(entry: entry, stored: Array(stored)))
    }
  }

  /// Changes the chunk of a column, if the frame has it.
  mutating func change(_ column: ColumnID, _ body: (inout ForgedChunk) -> Void) {
    for index in chunks.indices where chunks[index].column == column {
      body(&chunks[index])
      return
    }
  }

  func chunk(_ column: ColumnID) -> ForgedChunk? { chunks.first { $0.column == column } }

  /// The frame's bytes, without checksums.
  var bytes: [UInt8] {
    let meta = FrameHeader.byteCount + chunks.count * ColumnEntry.byteCount + 8
    var directory: [UInt8] = []
    var body: [UInt8] = []
    for chunk in chunks {
      var entry = chunk.entry
      entry.replaceLittleEndian(UInt32(meta + body.count), at: 8)
      entry.replaceLittleEndian(UInt32(chunk.stored.count), at: 12)
      for (offset, lie) in chunk.lies { entry.replaceLittleEndian(lie, at: offset) }
      directory += entry
      body += chunk.stored
      body.pad(to: 8)
    }
    var header = header
    header.replaceLittleEndian(UInt16(chunks.count), at: 6)
    header.replaceLittleEndian(
      UInt32(meta + body.count + FrameHeader.trailerByteCount), at: 8)
    header.replaceLittleEndian(UInt32(meta), at: 44)
    var trailer = [UInt8](repeating: 0, count: FrameHeader.trailerByteCount)
    trailer.replaceLittleEndian(FrameHeader.trailerMagic, at: 12)
    return header + directory + [UInt8](repeating: 0, count: 8) + body + trailer
  }
}

/// A column's entry in the directory, and its stored bytes.
struct ForgedChunk {
  var entry: [UInt8]
  var stored: [UInt8]
  /// What the entry says of its offset (8) and stored length (12) instead of the truth.
  var lies: [Int: UInt32] = [:]

  var column: ColumnID { ColumnID(rawValue: entry.littleEndian(UInt16.self, at: 0)) }
  var rows: Int { Int(entry.littleEndian(UInt32.self, at: 44)) }

  /// The bytes that the column's decoder sees.
  var raw: [UInt8] {
    get {
      guard entry[2] == 1 else { return stored }
      let count = Int(entry.littleEndian(UInt32.self, at: 16))
      return (try? Deflate.decompress(stored.span, rawCount: count)) ?? []
    }
    set {
      stored = newValue
      entry[2] = 0
      entry.replaceLittleEndian(UInt32(newValue.count), at: 16)
    }
  }

  /// Stores the same bytes as DEFLATE.
  mutating func deflate() {
    let bytes = raw
    stored = Deflate.compress(bytes)
    entry[2] = 1
    entry.replaceLittleEndian(UInt32(bytes.count), at: 16)
  }
}

extension Array<UInt8> {
  func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    (0..<Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(self[offset + $1]) }
  }
}
