/// Rewrites a log in place: fuller frames, another compression, without some events. Positions and codes of
/// names stay what they were, so whoever knows a position of the log still knows the same event.
///
/// It holds the log's lock from `init` until it is gone. Segments are replaced one by one, each in a
/// single step: a crash leaves every segment either as it was or as it was to become, and the same call
/// again does the rest. Readers that have the log open go on with the files that they have.
public struct LogRewriter {
  /// What rewriting did.
  public struct Summary: Hashable, Sendable {
    /// How many segments were written anew.
    public var segments = 0
    /// How many bytes all segments had before.
    public var bytesBefore: UInt64 = 0
    /// How many bytes all segments have now.
    public var bytesAfter: UInt64 = 0
  }

  /// The log's path.
  public let path: String
  /// What a crash had left behind the last frame, as ``LogWriter/recovered``.
  public var recovered: RecoveredTail? { writer.recovered }

  private let disk: any Disk
  private let writer: LogWriter
  var frameRowCount = FrameHeader.maximumRows
  var frameByteCount = 16 << 20

  /// Takes the log's lock, and sets aside what a crash left.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - holder: Who does it; a writer that is turned away is told so.
  /// - Throws: ``LogError``: there is no log, somebody else writes to it, or something durable is damaged.
  public init(_ path: String, holder: String = "") throws(LogError) {
    try self.init(path, holder: holder, disk: SystemDisk())
  }

  init(_ path: String, holder: String = "", disk: any Disk) throws(LogError) {
    // A writer would make a log where there is none.
    guard try !LogDirectory(path, disk: disk).segments.isEmpty else {
      throw LogError(.notFound, "there is no log here yet; check the path", path: path)
    }
    self.path = path
    self.disk = disk
    writer = try LogWriter(path, options: LogOptions(holder: holder), disk: disk)
  }

  /// The log as it is.
  ///
  /// - Throws: ``LogError`` when a part of it was written by a newer version, which rewriting would lose.
  private func reader() throws(LogError) -> LogReader {
    let reader = try LogReader(path, disk: disk)
    try reader.requireRewritable()
    return reader
  }

  // MARK: Compacting

  /// Writes every segment anew, with frames as full as may be, and columns compressed as the profile says.
  /// Every event, position and name stays as it is.
  ///
  /// - Parameters:
  ///   - profile: When columns are compressed with DEFLATE; each segment as it was when nil.
  ///   - progress: Called with the number of events done.
  /// - Returns: How many segments were written anew, and what that saved.
  /// - Throws: ``LogError`` when a file cannot be read or written, and what `progress` throws.
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

  /// Lists what some segments are and what they are to become: until all are replaced, either is right. Where that
  /// ends early, the next writer makes those right that are there.
  private func allow(
    _ sources: [SegmentSource], _ plan: SegmentRewriter.Plan
  ) throws(LogError) -> SegmentList {
    guard let id = sources.first?.replaces?.log else {
      throw LogError(.damaged, "no segment says which log it is of", path: path)
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

  /// Erases events: of each only its position stays, and of the names that no other event uses nothing. The
  /// quarantine is emptied, because what is in it cannot be searched.
  ///
  /// That it happened is noted in the log (``LogReader/notes()``), without saying of whom. Only files that
  /// have something of the events are written anew, from the last to the first, so that the names go last.
  ///
  /// - Parameters:
  ///   - erasure: Which events.
  ///   - progress: Called with a number that grows up to twice the number of events.
  /// - Returns: What was erased.
  /// - Throws: ``LogError`` when a file cannot be read or written, and what `progress` throws.
  /// - Complexity: O(number of events), in time; memory for a frame, and a bit for each name.
  public func erase(
    _ erasure: Erasure, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Erasure.Summary {
    let log = try reader()
    let search = try erasure.search(log, progress)
    var summary = search.summary
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
