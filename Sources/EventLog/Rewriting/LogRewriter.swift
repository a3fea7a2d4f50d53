/// Rewrites a log in place: larger frames, another compression, or without some events. Positions and codes of names
/// are preserved, so a known position still refers to the same event.
///
/// It holds the log's lock from `init` until it is released. Segments are replaced one by one, each atomically: a
/// crash leaves every segment either in its old or in its new version, and repeating the call does the rest. Readers
/// that have the log open continue with the files that they have.
public struct LogRewriter {
  /// The result of rewriting.
  public struct Summary: Hashable, Sendable {
    /// The number of segments rewritten.
    public var segments = 0
    /// The size of all segments before, in bytes.
    public var bytesBefore: UInt64 = 0
    /// The size of all segments now, in bytes.
    public var bytesAfter: UInt64 = 0
  }

  /// The log's path.
  public let path: String
  /// The bytes that a crash had left after the last frame, like ``LogWriter/recovered``.
  public var recovered: RecoveredTail? { writer.recovered }

  private let disk: any Disk
  private let writer: LogWriter
  var frameRowCount = FrameHeader.maximumRows
  var frameByteCount = 16 << 20

  /// Acquires the log's lock, and moves what a crash left to the quarantine.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - holder: A description of the holder of the lock, shown to other writers.
  /// - Throws: ``LogError`` if there is no log, another writer holds it, or durable data is damaged.
  public init(_ path: String, holder: String = "") throws(LogError) {
    try self.init(path, holder: holder, disk: SystemDisk())
  }

  init(_ path: String, holder: String = "", disk: any Disk) throws(LogError) {
    // A writer would create a log if there is none.
    guard try !LogDirectory(path, disk: disk).segments.isEmpty else {
      throw LogError(.notFound, "there is no log here yet; check the path", path: path)
    }
    self.path = path
    writer = try LogWriter(path, options: LogOptions(holder: holder), disk: disk)
    // Files are replaced only while the writer's lock is held.
    self.disk = writer.commits.look { $0.disk }
  }

  /// Returns a reader of the current log.
  ///
  /// - Throws: ``LogError`` if a part of it was written by a newer version, which rewriting would lose.
  private func reader() throws(LogError) -> LogReader {
    let reader = try LogReader(path, disk: disk)
    try reader.requireRewritable()
    return reader
  }

  // MARK: Compacting

  /// Rewrites every segment with frames as full as possible, and columns compressed according to the profile. Every
  /// event, position and name is preserved.
  ///
  /// - Parameters:
  ///   - profile: When columns are compressed with DEFLATE; nil to keep the profile of each segment.
  ///   - progress: Called with the number of events processed.
  /// - Returns: The number of segments rewritten, and their sizes before and after.
  /// - Throws: ``LogError`` if a file cannot be read or written, and errors of `progress`.
  /// - Complexity: O(number of events), in time; memory for a frame, twice, and its bytes.
  public func compact(
    profile: CompressionProfile? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Summary {
    let log = try reader()
    let plan = SegmentRewriter.Plan(
      profile: profile, names: LogNames(path: path, []), frameRowCount: frameRowCount,
      frameByteCount: frameByteCount)
    return try rewrite(log, Array(log.segments.indices), plan, progress: progress)
  }

  private func rewrite(
    _ log: LogReader, _ segments: [Int], _ plan: SegmentRewriter.Plan, note: String? = nil,
    done before: UInt64 = 0, progress: (UInt64) throws -> Void
  ) throws -> Summary {
    var summary = Summary(bytesBefore: log.byteCount, bytesAfter: log.byteCount)
    var done = before
    var plan = plan
    plan.listing = .elsewhere
    let sources = segments.map { SegmentSource(log, segment: $0) }
    var list = try allow(sources, plan)
    for (index, source) in zip(segments, sources) {
      var rewriter = try SegmentRewriter(log, source, plan: plan, disk: disk)
      let isLast = index == log.segments.count - 1
      let bytes = try rewriter.run(note: isLast ? note : nil) { rows in
        done += UInt64(rows)
        try progress(done)
      }
      list.settle(rewriter.written.header)
      summary.segments += 1
      summary.bytesAfter += bytes
      summary.bytesAfter -= log.segments[index].byteCount
    }
    try list.write(in: path, disk)
    return summary
  }

  /// Lists the current and new versions of some segments: until all are replaced, either is valid. If that is
  /// interrupted, the next writer makes the existing files the valid ones.
  private func allow(
    _ sources: [SegmentSource], _ plan: SegmentRewriter.Plan
  ) throws(LogError) -> SegmentList {
    guard let id = sources.first?.replaces?.log else {
      throw LogError(.damaged, "no segment has the id of its log", path: path)
    }
    var list = try SegmentList.current(in: path, of: id, disk)
    for source in sources {
      list.allow(
        SegmentRewriter.header(of: source, in: id, plan), besides: source.replaces,
        erasing: plan.isErasing)
    }
    try list.write(in: path, disk, like: sources[0].path)
    return list
  }

  // MARK: Erasing

  /// Erases events: only their positions remain, and no name that only they use. The quarantine is emptied, and a
  /// snapshot of the service removed, because their contents cannot be searched.
  ///
  /// The erasure is recorded in the log (``LogReader/notes()``), without naming the units. Only files that contain
  /// something of the events are rewritten, from the last to the first, so that the names are removed last.
  ///
  /// - Parameters:
  ///   - erasure: The events to erase.
  ///   - progress: Called with a number that grows up to twice the number of events.
  /// - Returns: What was erased.
  /// - Throws: ``LogError`` if a file cannot be read or written, and errors of `progress`.
  /// - Complexity: O(number of events), in time; memory for a frame, and a bit for each name.
  public func erase(
    _ erasure: Erasure, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Erasure.Summary {
    let log = try reader()
    let search = try erasure.search(log, progress)
    var summary = search.summary
    try LogDirectory.removeSnapshot(in: path, disk)
    if !search.segments.isEmpty {
      let selection = search.selection
      let plan = SegmentRewriter.Plan(
        profile: nil, names: search.names, used: search.used,
        absent: { reader throws(LogError) in try selection.absentRows(reader) }, isErasing: true,
        frameRowCount: frameRowCount, frameByteCount: frameByteCount)
      let last = log.segments.count - 1
      let segments = search.segments.union([last]).sorted(by: >)
      summary.rewritten = try rewrite(
        log, segments, plan, note: erasure.note(summary, at: log.eventCount),
        done: log.eventCount, progress: progress)
    }
    summary.quarantined = try Quarantine.empty(in: path, disk)
    return summary
  }
}
