extension LogReader {
  /// The name of the file in a log's folder in which an import notes the files that it has read to their end. It can be
  /// deleted.
  package static let importsName = LogDirectory.importsName

  /// Returns a checksum of the segments with the events before a position, which changes when one of them is
  /// rewritten: its events may then be fewer.
  package func checksumOfSegments(before position: UInt64) -> UInt32 {
    var bytes: [UInt8] = []
    for segment in segments where segment.basePosition < position {
      bytes.appendLittleEndian(segment.basePosition)
      bytes.appendLittleEndian(segment.header.salt)
      bytes.appendLittleEndian(segment.header.crc)
    }
    return Checksum.crc32c(bytes)
  }
}
