package import Events

/// Reads the events of a log one after another, for callers that fetch each when they need it. See
/// ``LogReader/forEachEvent(in:where:_:)`` for a closure that is called with each.
package struct EventCursor {
  private let log: LogReader
  private let names: LogNames
  private var frames: ArraySlice<FrameInfo>
  private var rows: (reader: RowReader, frame: FrameInfo, next: Int)?
  /// The size in bytes of the frames that were read to their end.
  package private(set) var byteCount: UInt64 = 0

  /// Begins with the first event.
  ///
  /// - Throws: ``LogError`` if the names of the log cannot be read.
  /// - Complexity: O(length of the names), in time and memory.
  package init(_ log: LogReader) throws(LogError) {
    self.log = log
    frames = log.frames.filter { $0.isKnown && $0.rows > 0 }[...]
    names = try LogNames(log, Set(Vocabulary.allCases))
  }

  /// Fills the record with the next event, exactly as it was appended. Erased events, and those of a kind that this
  /// version does not know, are passed over.
  ///
  /// - Returns: The position of the event; nil at the end of the log.
  /// - Throws: ``LogError`` if it cannot be read.
  package mutating func next(into record: inout EventRecord) throws(LogError) -> UInt64? {
    while true {
      if rows == nil, try !beginFrame() { return nil }
      while let row = rows?.next, let frame = rows?.frame, row < frame.rows {
        rows?.next += 1
        if try rows?.reader.next(into: &record) == true { return frame.basePosition + UInt64(row) }
      }
      byteCount += rows.map { UInt64($0.frame.header.length) } ?? 0
      rows = nil
    }
  }

  private mutating func beginFrame() throws(LogError) -> Bool {
    guard let frame = frames.popFirst() else { return false }
    rows = (try RowReader(FrameReader(log: log, frame: frame), names), frame, 0)
    return true
  }
}

extension LogReader {
  /// Returns whether a path is the folder of a log, complete or not.
  package static func isLog(_ path: String) -> Bool {
    let names = (try? SystemDisk(followsLinks: true).list(path)) ?? nil
    return (names ?? []).contains {
      SegmentHeader.basePosition(fileName: $0) != nil || $0 == LogFilling.name
    }
  }
}
