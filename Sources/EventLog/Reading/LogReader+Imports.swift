extension LogReader {
  /// The name of the file in a log's folder in which an import notes the files that it has read to their end. It can be
  /// deleted.
  package static let importsName = LogDirectory.importsName

  /// The name of a file in the log's folder that a program makes of what the log has, to start faster. It can be made
  /// again from the log, and an erasure removes it.
  package static let snapshotName = LogDirectory.snapshotName

  /// Returns a checksum of the events before a position, which changes when a segment of them is rewritten: its events
  /// may then be fewer. Frames are chained by their checksums, so the last one of each segment stands for all.
  ///
  /// - Complexity: O(number of frames).
  package func checksum(before position: UInt64) -> UInt32 {
    var bytes: [UInt8] = []
    var last: FrameInfo?
    for frame in frames where frame.rows > 0 && frame.endPosition <= position {
      if let last, last.segment != frame.segment { Self.append(last, to: &bytes) }
      last = frame
    }
    if let last { Self.append(last, to: &bytes) }
    return Checksum.crc32c(bytes)
  }

  private static func append(_ frame: FrameInfo, to bytes: inout [UInt8]) {
    bytes.appendLittleEndian(frame.endPosition)
    bytes.appendLittleEndian(frame.check)
  }
}
