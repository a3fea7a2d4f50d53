internal import Platform

/// The ended segments of a log that are compacted in the background, so that a log to which a few events are appended
/// at a time stays small and quick to open.
///
/// A thread of the writer rewrites them one at a time, outside of the writer's monitor: nothing waits for it but the
/// release of the writer, and that only until the rewrite stops before its next frame. A segment whose rewrite fails
/// or is abandoned stays as it is.
struct EndedSegments {
  /// A segment that was ended: durable, and never written again.
  struct Segment: Sendable {
    var header: SegmentHeader
    /// The position after its last event.
    var endPosition: UInt64
  }

  /// Who compacts the segments.
  enum Worker: Sendable {
    /// A thread of the writer.
    case thread
    /// A test, by ``GroupCommit/compactEndedSegment()``, at a moment that it determines.
    case caller
  }

  /// The next action of the thread.
  enum Action: Sendable {
    case compact(Segment)
    case end
  }

  /// The segments that are to be compacted, from the oldest to the newest.
  var waiting: [Segment] = []
  var isCompacting = false
  /// Whether a segment was added since a thread for it was last asked for.
  var isNew = false
  var thread: SystemThread?

  var isIdle: Bool { waiting.isEmpty && !isCompacting }
}

extension LogWriterState {
  /// The number of events below which a frame is small.
  private static let smallFrameRows = 4_096

  /// Whether the release of the writer waits for the rewrites: the bytes of a seeded log depend on nothing but its
  /// events.
  var finishesCompacting: Bool { options.seed != nil }

  /// Adds the segment that has just been ended, if its frames are many and small.
  mutating func addEnded(_ header: SegmentHeader, frameCount: Int) {
    let rows = Int(clamping: writtenPosition - header.basePosition)
    guard frameCount >= options.smallFrameCount, rows / frameCount < Self.smallFrameRows else {
      return
    }
    ended.waiting.append(
      EndedSegments.Segment(header: header, endPosition: writtenPosition))
    ended.isNew = options.compacting == .thread
  }

  /// Returns the next action of the thread; nil to wait.
  mutating func nextCompaction() -> EndedSegments.Action? {
    if commits.isEnding, !finishesCompacting { ended.waiting = [] }
    // Nothing is replaced in a folder that is another writer's.
    if !ended.waiting.isEmpty, (try? checkPlace()) == nil { ended.waiting = [] }
    guard !ended.waiting.isEmpty else { return commits.isEnding ? .end : nil }
    ended.isCompacting = true
    return .compact(ended.waiting.removeFirst())
  }

  /// The inputs of compacting a segment, the same as long as the writer exists.
  var compaction: EndedCompaction { EndedCompaction(path: path, disk: disk) }
}

/// Merges the frames of a segment that was ended. It reads and writes nothing of what its writer does.
struct EndedCompaction: Sendable {
  let path: String
  let disk: any Disk

  /// Rewrites the segment. Failure is harmless: the segment stays as it is.
  func run(_ ended: EndedSegments.Segment, isAbandoned: @escaping () -> Bool) {
    guard !isAbandoned(), let log = try? LogReader(path, disk: disk),
      let index = log.segments.firstIndex(where: {
        $0.header.basePosition == ended.header.basePosition && $0.header.salt == ended.header.salt
      }),
      log.segments[index].endPosition == ended.endPosition
    else { return }
    // An earlier version of it is equivalent: every event stays.
    let plan = SegmentRewriter.Plan(
      names: LogNames(path: path, []), listing: .ifKnown, isAbandoned: isAbandoned)
    let source = SegmentSource(log, segment: index)
    guard var rewriter = try? SegmentRewriter(log, source, plan: plan, disk: disk) else { return }
    _ = try? rewriter.run { _ in }
  }
}
