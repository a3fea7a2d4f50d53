public import Events

/// Rules out frames by their headers, before their contents are read.
public struct FrameFilter: Hashable, Sendable {
  /// Only frames with an event of one of these kinds; all frames when nil.
  public var kinds: Set<EventKind>?
  /// Only frames with an event at or after this time; all frames when nil.
  public var since: Timestamp?
  /// Only frames with an event before this time; all frames when nil.
  public var until: Timestamp?
  /// Only frames that may have an event of an experiment with one of these codes; all frames when nil. A header has 64
  /// bits for all experiments, so a frame without any of them may pass.
  public var experiments: Set<UInt32>?
  /// Only frames with an event at or after this position. The first of them may begin before it: all of its rows are
  /// returned, and the caller skips those before the position if necessary. If `LogReader.chainCheck(at:)` returns a
  /// value for the position, a frame ends there, so there are none to skip.
  public var from: UInt64

  /// Creates a filter that passes every frame that none of its conditions rules out.
  public init(
    kinds: Set<EventKind>? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    experiments: Set<UInt32>? = nil, from: UInt64 = 0
  ) {
    self.kinds = kinds
    self.since = since
    self.until = until
    self.experiments = experiments
    self.from = from
  }

  func admits(_ frame: FrameInfo) -> Bool {
    let header = frame.header
    if frame.rows > 0, frame.endPosition <= from { return false }
    if let kinds, !kinds.contains(where: { header.kinds >> UInt64($0.rawValue) & 1 != 0 }) {
      return false
    }
    if let since, header.latest < since.microseconds { return false }
    if let until, header.earliest >= until.microseconds { return false }
    guard let experiments else { return true }
    return experiments.contains { header.experiments >> UInt64($0 % 64) & 1 != 0 }
  }
}

extension LogReader {
  /// Returns the number of events in the frames that pass the filter.
  ///
  /// - Complexity: O(number of frames).
  public func eventCount(where filter: FrameFilter) -> UInt64 {
    frames.reduce(0) { $0 + ($1.isKnown && filter.admits($1) ? UInt64($1.rows) : 0) }
  }

  /// Returns the frames that pass the filter and have events, in order, as indices into ``frames``.
  ///
  /// - Complexity: O(number of frames).
  package func admittedFrames(where filter: FrameFilter = FrameFilter()) -> [Int] {
    frames.indices.filter { hasEvents($0) && filter.admits(frames[$0]) }
  }

  /// Returns the number of readable events of a frame; 0 for an invalid index.
  package func rowCount(ofFrame index: Int) -> Int {
    hasEvents(index) ? frames[index].rows : 0
  }

  private func hasEvents(_ index: Int) -> Bool {
    frames.indices.contains(index) && frames[index].isKnown && frames[index].rows > 0
  }

  /// Returns a checksum of the log before a position, to detect later whether that part was rewritten: it stays the
  /// same as long as events are only appended.
  ///
  /// Each frame's own checksum covers the frames before it in its segment. This checksum combines those of the last
  /// frames of the preceding segments, and that of the frame that ends at the position.
  ///
  /// - Returns: nil if no frame with events ends exactly at the position, as at position 0.
  /// - Complexity: O(number of frames).
  package func chainCheck(at position: UInt64) -> UInt32? {
    // Frames without events may follow at the same position later: they must not change the result.
    guard let last = frames.firstIndex(where: { $0.rows > 0 && $0.endPosition == position }) else {
      return nil
    }
    var checks: [UInt8] = []
    for index in 0...last where index == last || frames[index].segment != frames[index + 1].segment {
      checks.appendLittleEndian(frames[index].check)
    }
    return Checksum.crc32c(checks)
  }
}
