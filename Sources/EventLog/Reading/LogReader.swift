public import Events

/// Reads a log. Any number of readers may read a log, also while it is being written.
///
/// A reader sees a snapshot of the events at the time it was opened. It takes memory for the directory of each frame
/// (about 1 KiB for 65,536 events), and for one frame at a time while its events are read.
public final class LogReader: Sendable {
  /// A segment file, as reported by `log info` and `log verify`.
  public struct Segment: Sendable {
    /// The path of the file.
    public var path: String
    /// The position of its first event.
    public var basePosition: UInt64
    /// The position after its last event.
    public var endPosition: UInt64
    /// The size of its header and frames in bytes.
    public var byteCount: UInt64
    let file: any DiskFile
    let header: SegmentHeader

    /// The compression profile of its writer; nil if it is not recorded.
    public var profile: CompressionProfile? { header.profile }
  }

  /// Whether the files `HEAD.0` and `HEAD.1` tell how far a log was durable.
  public enum EndProof: Sendable {
    /// They do.
    case whole
    /// One of them is missing or damaged, so that they may tell of an earlier end.
    case damaged
    /// There are none, as of a log whose segments alone were copied.
    case missing
  }

  /// Bytes after the last frame that are not a complete frame: a write in progress, or one torn by a crash. If
  /// ``LogReader/endProof`` is whole, they were never acknowledged. The next writer moves them to the quarantine.
  public struct Tail: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The offset of the first byte.
    public var offset: UInt64
    /// The number of bytes.
    public var byteCount: UInt64
  }

  /// The path of the log's folder.
  public let path: String
  /// The segments in order.
  public let segments: [Segment]
  /// The bytes after the last frame that are not a complete frame; nil if there are none.
  public let tail: Tail?
  /// The id of the log; nil if it has no segment yet.
  public let id: LogID?
  /// The frames in order.
  package let frames: FrameList
  /// How the reader handles damage.
  public let policy: DamagePolicy
  /// The number of events of the log: the position of the next one. Lost events keep their positions.
  public let eventCount: UInt64
  /// The exclusive upper bound of the codes of each vocabulary.
  let codeLimits: [UInt32]
  /// Every event before this position was durable, according to the frames of the last segment.
  let proven: UInt64
  let disk: any Disk
  /// The files that do not belong where they are. They are among ``losses``; a strict reader throws at the first.
  package let misplaced: [MisplacedFile]
  /// The number of segment files, used or excluded.
  let segmentFileCount: Int
  let ledger: LossLedger

  /// Opens a log for reading and finds its frames.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - damaged: How to handle damage to durable data, now and when events are read.
  /// - Throws: ``LogError`` if there is no log at the path, if it was written by a newer version, or if durable data
  ///   is damaged and may not be skipped.
  /// - Complexity: O(number of frames); no event is read. The data of the last commit is checked byte by byte if
  ///   nothing proves that it was durable, and a segment after damage is searched for readable frames.
  public convenience init(_ path: String, damaged: DamagePolicy = .strict) throws(LogError) {
    try self.init(path, damaged: damaged, disk: SystemDisk())
  }

  package convenience init(
    _ path: String, damaged: DamagePolicy = .strict, disk: any Disk
  ) throws(LogError) {
    try self.init(path, damaged: damaged, disk: disk, ledger: LossLedger())
  }

  convenience init(
    _ path: String, damaged: DamagePolicy, disk: any Disk, ledger: LossLedger
  ) throws(LogError) {
    let directory = try LogDirectory(path, disk: disk, damaged: damaged)
    let scan = try LogScan(directory, damaged: damaged, ledger: ledger)
    self.init(directory, scan, damaged: damaged, disk: disk, ledger: ledger)
  }

  /// Creates a reader from frames that were found before.
  init(
    _ directory: LogDirectory, _ scan: LogScan, damaged: DamagePolicy = .strict, disk: any Disk,
    ledger: LossLedger = LossLedger()
  ) {
    path = directory.path
    policy = damaged
    self.ledger = ledger
    self.disk = disk
    misplaced = directory.misplaced
    segmentFileCount = directory.segments.count + directory.leftOut.count
    id = directory.log
    frames = scan.frames
    eventCount = scan.endPosition
    codeLimits = scan.codeLimits
    proven = scan.proven
    tail = scan.tail
    segments = zip(directory.segments, scan.ends).map { segment, end in
      Segment(
        path: segment.path, basePosition: segment.header.basePosition, endPosition: end.position,
        byteCount: end.offset, file: segment.file, header: segment.header)
    }
  }

  /// Creates a reader of one segment that is not among the log's files yet, with the codes of the log.
  ///
  /// - Throws: ``LogError`` if the file is not a complete segment.
  init(_ log: LogReader, with file: any DiskFile, _ header: SegmentHeader) throws(LogError) {
    var scanner = try FrameScanner(file: file, header: header, segment: 0)
    var frames = FrameList()
    scanning: while true {
      switch try scanner.next() {
      case .frame(let frame): frames.append(frame)
      case .end: break scanning
      case .nothing(let reason):
        throw LogError(.damaged, reason, path: file.path, offset: scanner.offset)
      }
    }
    path = log.path
    disk = log.disk
    policy = .strict
    ledger = LossLedger()
    eventCount = scanner.position
    misplaced = []
    segmentFileCount = 1
    id = header.log
    tail = nil
    codeLimits = log.codeLimits
    proven = scanner.position
    self.frames = frames
    segments = [
      Segment(
        path: file.path, basePosition: header.basePosition, endPosition: scanner.position,
        byteCount: scanner.offset, file: file, header: header)
    ]
  }

  /// Whether a writer holds the log now: then bytes after the last frame are a write in progress.
  public var hasWriter: Bool { SystemDisk.isLocked(LogDirectory.lockPath(path)) }

  /// Whether anything tells if events are missing at the end of the log, as a copy may have been cut short.
  public var endProof: EndProof { LogHead.proof(in: path, of: id, disk) }

  /// The losses found so far, when the log was opened and when events were read, in the order of positions; empty with
  /// ``DamagePolicy/strict``. Reading a part again adds nothing.
  public var losses: [LogLoss] { ledger.losses }

  /// The number of positions that are lost so far, or lack a requested column.
  public var lostEventCount: UInt64 {
    ledger.positions.ranges.reduce(0) { $0 + UInt64($1.count) }
  }

  /// The size of the segments in bytes.
  public var byteCount: UInt64 { segments.reduce(0) { $0 + $1.byteCount } }

  /// Descriptions of the parts written by a newer version that this one skips; empty if there are none.
  ///
  /// - Complexity: O(number of columns of all frames).
  public var unknownParts: [String] {
    var events: UInt64 = 0
    var kinds: UInt64 = 0
    var columns: Set<UInt16> = []
    for frame in frames {
      guard frame.isKnown else {
        events += UInt64(frame.rows)
        continue
      }
      kinds |= frame.header.kinds
      for entry in frame.entries where !entry.column.isKnown {
        columns.insert(entry.column.rawValue)
      }
    }
    let known = EventKind.allCases.map(\.rawValue) + [AbsentKind.erased, AbsentKind.lost]
    for kind in known { kinds &= ~(1 << UInt64(kind)) }
    var parts: [String] = []
    if events > 0 { parts.append("\(events) events in frames of another type") }
    if kinds != 0 { parts.append("events of \(kinds.nonzeroBitCount) other kinds") }
    if !columns.isEmpty { parts.append("\(columns.count) other columns") }
    return parts
  }

  /// The latest event time of the log; nil if it has no event.
  public var latest: Timestamp? {
    frames.filter(\.hasTimes).map(\.header.latest).max().map { Timestamp(microseconds: $0) }
  }

  /// The earliest event time of the log; nil if it has no event.
  public var earliest: Timestamp? {
    frames.filter(\.hasTimes).map(\.header.earliest).min().map { Timestamp(microseconds: $0) }
  }

  /// Returns the exclusive upper bound of the codes of the vocabulary, so that an array of that many elements can be
  /// indexed by code.
  public func codeLimit(_ vocabulary: Vocabulary) -> UInt32 {
    codeLimits[vocabulary.index]
  }

  /// Returns the bytes of a column's chunk, verified and decompressed.
  func chunk(_ entry: ColumnEntry, of frame: FrameInfo) throws(LogError) -> [UInt8] {
    var buffers = ChunkBuffers()
    return Array(try chunk(entry, of: frame, &buffers))
  }

  /// Returns the bytes of a column's chunk in reused buffers, which are copied if one of them is still referenced.
  func chunk(
    _ entry: ColumnEntry, of frame: FrameInfo, _ buffers: inout ChunkBuffers
  ) throws(LogError) -> ArraySlice<UInt8> {
    try requireKnown(entry, frame)
    let file = segments[frame.segment].file
    let offset = frame.offset + UInt64(entry.offset)
    let count = Int(entry.storedLength)
    let got = try file.read(at: offset, count: count, into: &buffers.stored)
    let stored = buffers.stored.prefix(got)
    guard got == count, Checksum.crc32c(stored) == entry.crc else {
      throw damage("its checksum does not match", entry, frame)
    }
    guard entry.isDeflated else { return stored }
    let rawCount = Int(entry.rawLength)
    do {
      try Deflate.decompress(stored, rawCount: rawCount, into: &buffers.inflated)
    } catch {
      throw damage("\(error)", entry, frame)
    }
    return buffers.inflated.prefix(rawCount)
  }

  /// Throws for a column in a newer format, which is not damage, and not fixed by a backup.
  private func requireKnown(_ entry: ColumnEntry, _ frame: FrameInfo) throws(LogError) {
    let what: String
    if let codec = entry.unknownCodec {
      what = "codec \(codec)"
    } else if ColumnEncoding(rawValue: entry.encoding) == nil {
      what = "encoding \(entry.encoding)"
    } else {
      return
    }
    throw LogError(
      .newerVersion,
      "column \(entry.column.name) has \(what), which only a newer version of bandolier can read; "
        + "use that version", path: segments[frame.segment].path,
      offset: frame.offset + UInt64(entry.offset))
  }

  /// Returns an error for a column of a frame, with its location.
  func damage(_ reason: String, _ entry: ColumnEntry, _ frame: FrameInfo) -> LogError {
    var error = damage("column \(entry.column.name): \(reason)", frame)
    error.offset = frame.offset + UInt64(entry.offset)
    error.loss?.offset = frame.offset + UInt64(entry.offset)
    error.loss?.column = entry.column.name
    error.loss?.reason = reason
    return error
  }

  /// Returns an error for a frame, with its location.
  func damage(_ reason: String, _ frame: FrameInfo) -> LogError {
    var error = LogError(
      .damaged,
      "\(reason) (events \(frame.basePosition) to "
        + "\(frame.lastPosition)); restore the file from a backup",
      path: segments[frame.segment].path, offset: frame.offset)
    error.loss = LogLoss(
      path: error.path, offset: frame.offset, column: nil,
      positions: frame.basePosition..<frame.endPosition, reason: reason)
    return error
  }
}
