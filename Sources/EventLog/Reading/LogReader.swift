public import Events

/// Reads a log. Any number of readers may read a log, also while it is being written.
///
/// A reader sees the events that were there when it was opened. It takes memory for the directory of each
/// frame (about 1 KiB for 65,536 events), and for a frame at a time while its events are read.
public final class LogReader: Sendable {
  /// A segment file, as `log info` and `log verify` speak of it.
  public struct Segment: Sendable {
    /// The path of the file.
    public var path: String
    /// Position of its first event.
    public var basePosition: UInt64
    /// Position after its last event.
    public var endPosition: UInt64
    /// How many bytes of the file hold its header and its frames.
    public var byteCount: UInt64
    let file: any DiskFile
    let header: SegmentHeader

    /// How whoever wrote it compresses columns; nil where it does not say.
    public var profile: CompressionProfile? { header.profile }
  }

  /// Bytes behind the last frame that are not a frame: a writer is at work, or a crash cut it off. They
  /// were never acknowledged, and the next writer sets them aside.
  public struct Tail: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// Where they begin.
    public var offset: UInt64
    /// How many there are.
    public var byteCount: UInt64
  }

  /// The path of the log's folder.
  public let path: String
  /// The segments in order.
  public let segments: [Segment]
  /// Bytes behind the last frame that are not a frame; nil when there are none.
  public let tail: Tail?
  /// What tells the log apart; nil when it has no segment yet.
  public let id: LogID?
  /// The frames in order.
  package let frames: [FrameInfo]
  /// What the reader does when something is damaged.
  public let policy: DamagePolicy
  /// How many events the log has: the position that the next one will get. Events that are lost keep their
  /// positions.
  public let eventCount: UInt64
  /// The code after the last one of each vocabulary.
  private let codeLimits: [UInt32]
  private let disk: any Disk
  /// The files that are not those which belong where they stand. They are among ``losses``; a strict reader stops
  /// at the first.
  package let misplaced: [MisplacedFile]
  /// How many files of segments there were, used or left out.
  private let segmentFileCount: Int
  let ledger: LossLedger

  /// Opens a log for reading and finds its frames.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - damaged: What to do when something that was durable is damaged, now and when events are read.
  /// - Throws: ``LogError`` when there is no log at the path, when a newer version wrote it, or when
  ///   something that was durable is damaged and may not be passed over.
  /// - Complexity: O(number of frames); no event is read. What the last commit wrote is checked byte by byte
  ///   when nothing says that it was durable, and a segment behind damage is searched for what can be read.
  public convenience init(_ path: String, damaged: DamagePolicy = .strict) throws(LogError) {
    try self.init(path, damaged: damaged, disk: SystemDisk())
  }

  package convenience init(
    _ path: String, damaged: DamagePolicy = .strict, disk: any Disk
  ) throws(LogError) {
    try self.init(path, damaged: damaged, disk: disk, ledger: LossLedger())
  }

  private convenience init(
    _ path: String, damaged: DamagePolicy, disk: any Disk, ledger: LossLedger
  ) throws(LogError) {
    let directory = try LogDirectory(path, disk: disk, damaged: damaged)
    let scan = try LogScan(directory, damaged: damaged, ledger: ledger)
    self.init(directory, scan, damaged: damaged, disk: disk, ledger: ledger)
  }

  /// A reader of what was found already.
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
    tail = scan.tail
    segments = zip(directory.segments, scan.ends).map { segment, end in
      Segment(
        path: segment.path, basePosition: segment.header.basePosition, endPosition: end.position,
        byteCount: end.offset, file: segment.file, header: segment.header)
    }
  }

  /// One segment of a log that is not among its files yet, with the codes that the log has.
  ///
  /// - Throws: ``LogError`` when the file is not a whole segment.
  init(_ log: LogReader, with file: any DiskFile, _ header: SegmentHeader) throws(LogError) {
    var scanner = try FrameScanner(file: file, header: header, segment: 0)
    var frames: [FrameInfo] = []
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
    self.frames = frames
    segments = [
      Segment(
        path: file.path, basePosition: header.basePosition, endPosition: scanner.position,
        byteCount: scanner.offset, file: file, header: header)
    ]
  }

  /// Whether a writer holds the log now: then bytes behind the last frame are the ones it is writing.
  public var hasWriter: Bool { SystemDisk.isLocked(LogDirectory.lockPath(path)) }

  /// The log as it is now, or nil while nothing has changed since this reader was opened: the last segment
  /// has as many bytes, and there is no other.
  ///
  /// - Throws: ``LogError``, as when a log is opened.
  /// - Complexity: O(number of segments) while nothing has changed, else O(number of frames).
  public func reopened() throws(LogError) -> LogReader? {
    let names = (try disk.list(path) ?? []).filter {
      SegmentHeader.basePosition(fileName: $0) != nil
    }
    if names.count == segmentFileCount {
      guard let last = segments.last else { return nil }
      let size = try disk.open(last.path, writable: false).size()
      if size == last.byteCount + (tail?.byteCount ?? 0) { return nil }
    }
    return try LogReader(path, damaged: policy, disk: disk, ledger: ledger)
  }

  /// What was found to be lost so far, when the log was opened and when events were read, in the order of
  /// positions; nothing when the policy is ``DamagePolicy/strict``. Reading a part again adds nothing.
  public var losses: [LogLoss] { ledger.losses }

  /// How many positions are lost so far, or lack a column that was asked for.
  public var lostEventCount: UInt64 {
    ledger.positions.ranges.reduce(0) { $0 + UInt64($1.count) }
  }

  /// How many bytes the segments have.
  public var byteCount: UInt64 { segments.reduce(0) { $0 + $1.byteCount } }

  /// What a newer version wrote that this one does not know and passes over, in words; nothing when it
  /// knows everything.
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

  /// The latest event time of the log; nil when it has no event.
  public var latest: Timestamp? {
    frames.filter(\.hasTimes).map(\.header.latest).max().map { Timestamp(microseconds: $0) }
  }

  /// The earliest event time of the log; nil when it has no event.
  public var earliest: Timestamp? {
    frames.filter(\.hasTimes).map(\.header.earliest).min().map { Timestamp(microseconds: $0) }
  }

  /// The code after the last one that the log gave in the vocabulary: codes lie below it, so an array of
  /// as many elements can be indexed by them.
  public func codeLimit(_ vocabulary: Vocabulary) -> UInt32 {
    codeLimits[vocabulary.index]
  }

  /// The bytes of a column's chunk, checked and inflated.
  func chunk(_ entry: ColumnEntry, of frame: FrameInfo) throws(LogError) -> [UInt8] {
    var buffers = ChunkBuffers()
    return Array(try chunk(entry, of: frame, &buffers))
  }

  /// The same within buffers that are used again: they are copied when one of these bytes is still held.
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

  /// A column that a newer version wrote in a way of its own is no damage, and no backup mends it.
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

  /// What is wrong in a column of a frame, with the place.
  func damage(_ reason: String, _ entry: ColumnEntry, _ frame: FrameInfo) -> LogError {
    var error = damage("column \(entry.column.name): \(reason)", frame)
    error.offset = frame.offset + UInt64(entry.offset)
    error.loss?.offset = frame.offset + UInt64(entry.offset)
    error.loss?.column = entry.column.name
    error.loss?.reason = reason
    return error
  }

  /// What is wrong in a frame, with the place.
  func damage(_ reason: String, _ frame: FrameInfo) -> LogError {
    var error = LogError(
      .damaged,
      "\(reason) (events \(frame.basePosition) to "
        + "\(frame.lastPosition)); take the file from a backup",
      path: segments[frame.segment].path, offset: frame.offset)
    error.loss = LogLoss(
      path: error.path, offset: frame.offset, column: nil,
      positions: frame.basePosition..<frame.endPosition, reason: reason)
    return error
  }
}
