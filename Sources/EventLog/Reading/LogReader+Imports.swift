extension LogReader {
  /// The name of the file in a log's folder in which an import notes the files that it has read to their end. It can be
  /// deleted.
  package static let importsName = LogDirectory.importsName

  /// The name of a file in the log's folder that a program makes of what the log has, to start faster. It can be made
  /// again from the log, and an erasure removes it.
  package static let snapshotName = LogDirectory.snapshotName

  /// Replaces a file in the log's folder that is made of what the log has, atomically and durably.
  ///
  /// - Throws: ``LogError`` if the folder at the log's path is another by now, or the file cannot be written.
  package func replaceFile(_ name: String, by bytes: [UInt8]) throws(LogError) {
    let held = try disk.holding(path)
    try segments.last?.file.checkPath()
    try held.replace(name, in: path, by: bytes, like: [path])
  }

  /// Returns the contents of a file in the log's folder; nil if there is none.
  ///
  /// - Throws: ``LogError`` if it is no regular file, is larger than the limit, or cannot be read.
  package static func contents(
    of name: String, in log: String, limit: Int
  ) throws(LogError) -> [UInt8]? {
    do throws(LogError) {
      let file = try SystemDisk().open(log + "/" + name, writable: false)
      let size = try file.size()
      guard size <= UInt64(limit) else {
        throw LogError(.damaged, "it is larger than \(limit) bytes; remove it", path: file.path)
      }
      return try file.read(at: 0, count: Int(size))
    } catch  where error.code == .notFound {
      return nil
    }
  }

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
