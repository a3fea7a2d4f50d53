/// A complete frame: its header, its directory, and its location. Its chunks are checked when they are read.
package struct FrameInfo: Sendable {
  /// The index of its segment in the log, from 0.
  package var segment: Int
  /// The offset of its first byte in the segment.
  package var offset: UInt64
  var header: FrameHeader
  /// Its checksum, to which the next frame is chained.
  var check: UInt32
  /// The directory of its columns.
  package var entries: [ColumnEntry]

  /// The position of its first event.
  package var basePosition: UInt64 { header.basePosition }
  /// The number of its events.
  package var rows: Int { Int(header.rows) }
  /// The position of its last event, for messages; of its first place if it has none.
  var lastPosition: UInt64 { max(header.basePosition + 1, endPosition) - 1 }
  /// The position after its last event.
  package var endPosition: UInt64 { header.basePosition + UInt64(header.rows) }
  /// The offset after its last byte in the segment.
  package var endOffset: UInt64 { offset + UInt64(header.length) }
  /// Whether it has an event that has not been removed, so that its times are those of events.
  package var hasTimes: Bool { header.rows > 0 && header.earliest <= header.latest }
  /// Whether its events are of a type that this version reads; other frames are skipped, and counted.
  package var isKnown: Bool { header.type == 1 }

  func entry(_ column: ColumnID, key: UInt32 = 0) -> ColumnEntry? {
    entries.first { $0.column == column && $0.key == key }
  }
}

/// Scans the frames of a segment in order, each by its header, directory and trailer.
struct FrameScanner {
  /// The result of reading at an offset.
  enum Found {
    case frame(FrameInfo)
    /// The end of the segment.
    case end
    /// Neither a frame nor the end; the text says what is wrong.
    case nothing(String)
  }

  let file: any DiskFile
  let header: SegmentHeader
  let segment: Int
  let size: UInt64
  private(set) var offset = UInt64(SegmentHeader.byteCount)
  private(set) var position: UInt64
  var previous: UInt32

  init(file: any DiskFile, header: SegmentHeader, segment: Int) throws(LogError) {
    self.file = file
    self.header = header
    self.segment = segment
    size = try file.size()
    position = header.basePosition
    previous = header.crc
  }

  /// Returns what comes next; the scanner continues after a frame.
  mutating func next() throws(LogError) -> Found {
    guard offset < size else { return .end }
    let found = try find()
    if case .frame(let frame) = found { goOn(behind: frame) }
    return found
  }

  /// Continues after a frame.
  mutating func goOn(behind frame: FrameInfo) {
    offset = frame.endOffset
    position = frame.endPosition
    previous = frame.check
  }

  private func find() throws(LogError) -> Found {
    let head = try file.read(at: offset, count: FrameHeader.byteCount)
    guard let (header, headerCRC) = FrameHeader.read(head[...]) else {
      return .nothing("no frame begins here")
    }
    guard header.salt == self.header.salt else { return .nothing("a frame of another segment") }
    guard header.basePosition == position else {
      return .nothing("a frame of position \(header.basePosition) where \(position) belongs")
    }
    guard header.previous == previous else {
      return .nothing("a frame that does not follow the one before it")
    }
    let end = offset + UInt64(header.length)
    guard end <= size else { return .nothing("a frame that is cut off") }
    try requireKnown(header, at: offset)
    do {
      let (frame, isEnded) = try complete(header, headerCRC, at: offset)
      return isEnded
        ? .frame(frame) : .nothing("a frame whose end is not what its beginning says")
    } catch let error as ColumnError {
      return .nothing("a frame whose directory is damaged: \(error.reason)")
    } catch let error as LogError {
      throw error
    } catch {
      return .nothing("\(error)")
    }
  }

  func requireKnown(_ header: FrameHeader, at offset: UInt64) throws(LogError) {
    guard header.type == 1 || header.type >= 128 else {
      throw LogError(
        .newerVersion,
        "a frame of type \(header.type) that only a newer version of bandolier can read; "
          + "use that version", path: file.path, offset: offset)
    }
  }

  /// Reads the directory of a frame and compares its trailer with its header.
  ///
  /// - Returns: The frame, and whether its trailer matches its header.
  /// - Throws: ``ColumnError`` if the directory is damaged, ``LogError`` if the file cannot be read.
  func complete(
    _ header: FrameHeader, _ headerCRC: UInt32, at offset: UInt64
  ) throws -> (frame: FrameInfo, isEnded: Bool) {
    let directoryLength = header.metaLength - FrameHeader.byteCount
    let directory = try file.read(
      at: offset + UInt64(FrameHeader.byteCount), count: directoryLength)
    let trailerOffset = offset + UInt64(header.length) - UInt64(FrameHeader.trailerByteCount)
    let trailer = try file.read(at: trailerOffset, count: FrameHeader.trailerByteCount)
    let (entries, directoryCRC) = try Self.directory(directory, header)
    let check = FrameWriter.check(header: headerCRC, directory: directoryCRC, entries: entries)
    var expected: [UInt8] = []
    expected.appendLittleEndian(header.length)
    expected.appendLittleEndian(check)
    expected.appendLittleEndian(header.rows)
    expected.appendLittleEndian(FrameHeader.trailerMagic)
    let frame = FrameInfo(
      segment: segment, offset: offset, header: header, check: check, entries: entries)
    return (frame, trailer == expected)
  }

  private static func directory(
    _ bytes: [UInt8], _ header: FrameHeader
  ) throws(ColumnError) -> (entries: [ColumnEntry], crc: UInt32) {
    var tail = LittleEndianReader(bytes.suffix(8))
    let crc = try tail.read(UInt32.self)
    guard try tail.read(UInt32.self) == 0, crc == Checksum.crc32c(bytes.dropLast(8)) else {
      throw ColumnError("its checksum does not match")
    }
    var reader = LittleEndianReader(bytes.dropLast(8))
    var entries: [ColumnEntry] = []
    entries.reserveCapacity(Int(header.columns))
    for _ in 0..<header.columns {
      entries.append(
        try ColumnEntry.read(
          &reader, metaLength: header.metaLength,
          end: Int(header.length) - FrameHeader.trailerByteCount))
    }
    return (entries, crc)
  }

  /// Returns the number of durable events according to the frames after the given offset, complete or not. If it is
  /// greater than the number of events before the offset, the bytes at the offset were durable too, and are damaged;
  /// otherwise they may be torn by a crash.
  ///
  /// - Complexity: O(bytes after the offset).
  func durablePosition(behind start: UInt64) throws(LogError) -> UInt64 {
    var durable: UInt64 = 0
    _ = try firstHeader(from: start) { header, _, _ in
      durable = max(durable, header.durable)
      return false
    }
    return durable
  }

  /// Returns the first offset, from the given one on, of a header of this segment's frames for which the closure
  /// returns true.
  ///
  /// No byte beyond `size` is read: what a writer has appended since does not tell whether something was torn here.
  ///
  /// - Complexity: O(bytes after the offset).
  func firstHeader(
    from start: UInt64, where isRight: (FrameHeader, UInt32, UInt64) throws(LogError) -> Bool
  ) throws(LogError) -> UInt64? {
    let window = 1 << 20
    var at = start
    while at < size {
      let count = min(UInt64(window + FrameHeader.byteCount), size - at)
      let bytes = try file.read(at: at, count: Int(count))
      for offset in stride(from: 0, to: min(window, bytes.count), by: 8) {
        guard bytes[offset] == UInt8(truncatingIfNeeded: FrameHeader.magic),
          let (header, crc) = FrameHeader.read(bytes[offset...]), header.salt == self.header.salt,
          try isRight(header, crc, at + UInt64(offset))
        else { continue }
        return at + UInt64(offset)
      }
      at += UInt64(window)
    }
    return nil
  }
}
