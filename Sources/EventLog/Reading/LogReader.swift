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
  /// The code after the last one of each vocabulary.
  private let codeLimits: [UInt32]
  private let disk: any Disk

  /// Opens a log for reading and finds its frames.
  ///
  /// - Throws: ``LogError`` when there is no log at the path, when a newer version wrote it, or when
  ///   something that was durable is damaged.
  /// - Complexity: O(number of frames); no event is read.
  public convenience init(_ path: String) throws(LogError) {
    try self.init(path, disk: SystemDisk())
  }

  package init(_ path: String, disk: any Disk) throws(LogError) {
    let directory = try LogDirectory(path, disk: disk)
    var scan = LogScan()
    for index in directory.segments.indices {
      try scan.add(directory, index)
    }
    self.path = path
    self.disk = disk
    id = directory.segments.first?.header.log
    frames = scan.frames
    codeLimits = scan.codeLimits
    tail = scan.tail
    segments = zip(directory.segments, scan.ends).map { segment, end in
      Segment(
        path: segment.path, basePosition: segment.header.basePosition, endPosition: end.position,
        byteCount: end.offset, file: segment.file, header: segment.header)
    }
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
    guard names.count == segments.count else { return try LogReader(path, disk: disk) }
    guard let last = segments.last else { return nil }
    let size = try disk.open(last.path, writable: false).size()
    if size == last.byteCount + (tail?.byteCount ?? 0) { return nil }
    return try LogReader(path, disk: disk)
  }

  /// How many events the log has: the position that the next one will get.
  public var eventCount: UInt64 { segments.last?.endPosition ?? 0 }

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
    frames.filter { $0.rows > 0 }.map(\.header.latest).max().map { Timestamp(microseconds: $0) }
  }

  /// The earliest event time of the log; nil when it has no event.
  public var earliest: Timestamp? {
    frames.filter { $0.rows > 0 }.map(\.header.earliest).min().map { Timestamp(microseconds: $0) }
  }

  /// The code after the last one that the log gave in the vocabulary: codes lie below it, so an array of
  /// as many elements can be indexed by them.
  public func codeLimit(_ vocabulary: Vocabulary) -> UInt32 {
    codeLimits[vocabulary.index]
  }

  /// The bytes of a column's chunk, checked and inflated.
  func chunk(_ entry: ColumnEntry, of frame: FrameInfo) throws(LogError) -> [UInt8] {
    try requireKnown(entry, frame)
    let file = segments[frame.segment].file
    let offset = frame.offset + UInt64(entry.offset)
    let stored = try file.read(at: offset, count: Int(entry.storedLength))
    guard stored.count == Int(entry.storedLength), Checksum.crc32c(stored) == entry.crc else {
      throw damage("its checksum does not match", entry, frame)
    }
    guard entry.isDeflated else { return stored }
    do {
      return try Deflate.decompress(stored.span, rawCount: Int(entry.rawLength))
    } catch {
      throw damage("\(error)", entry, frame)
    }
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
    return error
  }

  /// What is wrong in a frame, with the place.
  func damage(_ reason: String, _ frame: FrameInfo) -> LogError {
    LogError(
      .damaged,
      "\(reason) (events \(frame.basePosition) to "
        + "\(frame.lastPosition)); take the file from a backup",
      path: segments[frame.segment].path, offset: frame.offset)
  }
}

/// Walks through the segments of a log and finds its frames.
struct LogScan {
  var frames: [FrameInfo] = []
  var ends: [(position: UInt64, offset: UInt64)] = []
  var tail: LogReader.Tail?
  /// The checksum to which the next frame is chained.
  var previous: UInt32 = 0
  /// The code after the last one of each vocabulary.
  var codeLimits: [UInt32] = Vocabulary.allCases.map(\.firstCode)

  /// Finds the frames of a segment. Only behind the last one's may other bytes stand.
  mutating func add(_ directory: LogDirectory, _ index: Int) throws(LogError) {
    let segment = directory.segments[index]
    let before = ends.last?.position ?? 0
    guard before == segment.header.basePosition else {
      let base = segment.header.basePosition
      throw LogError(
        .damaged,
        before < base
          ? "the events \(before) to \(base - 1) are missing before this segment; "
            + "take the missing file from a backup"
          : "the segment before it goes up to event \(before - 1) already; "
            + "take the right file from a backup", path: segment.path)
    }
    var scanner = try FrameScanner(file: segment.file, header: segment.header, segment: index)
    scanning: while true {
      switch try scanner.next() {
      case .frame(let frame):
        try addNames(frame, path: segment.path)
        frames.append(frame)
      case .end: break scanning
      case .nothing(let reason):
        try end(scanner, reason, isLast: index == directory.segments.count - 1)
        break scanning
      }
    }
    previous = scanner.previous
    ends.append((scanner.position, scanner.offset))
  }

  private mutating func addNames(_ frame: FrameInfo, path: String) throws(LogError) {
    for entry in frame.entries {
      guard let vocabulary = entry.column.vocabulary else { continue }
      let index = vocabulary.index
      // An event has one unit: whoever makes an array of all units' codes has as many events.
      guard vocabulary != .units || Int(entry.values) <= frame.rows || !frame.isKnown else {
        throw LogError(
          .damaged,
          "\(entry.values) new units in \(frame.rows) events; take the file from a backup",
          path: path, offset: frame.offset)
      }
      // Whoever makes an array of all codes relies on it, so no count is believed that no text backs.
      guard Int(entry.values) <= TextStream.largestCount(byteCount: Int(entry.rawLength)) else {
        throw LogError(
          .damaged,
          "\(entry.values) names in \(entry.rawLength) bytes; take the file from a backup",
          path: path, offset: frame.offset)
      }
      let end = Int64(codeLimits[index]) + Int64(entry.values)
      guard entry.low == Int64(codeLimits[index]), let limit = UInt32(exactly: end) else {
        throw LogError(
          .damaged,
          "\(vocabulary.name) begin with code \(entry.low), not \(codeLimits[index]); "
            + "take the file from a backup", path: path, offset: frame.offset)
      }
      codeLimits[index] = limit
    }
  }

  /// Tells a tail that a crash or a writer at work explains from damage to what was durable.
  private mutating func end(
    _ scanner: FrameScanner, _ reason: String, isLast: Bool
  ) throws(LogError) {
    if isLast,
      try !scanner.isKnownDurable(behind: scanner.offset, position: scanner.position)
    {
      tail = LogReader.Tail(
        path: scanner.file.path, offset: scanner.offset, byteCount: scanner.size - scanner.offset)
      return
    }
    throw LogError(
      .damaged,
      "\(reason), but the events from \(scanner.position) on were durable; "
        + "take the file from a backup", path: scanner.file.path, offset: scanner.offset)
  }
}
