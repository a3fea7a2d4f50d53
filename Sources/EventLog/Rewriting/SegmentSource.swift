extension LogReader {
  /// Makes sure that rewriting the log loses nothing that a newer version wrote.
  func requireRewritable() throws(LogError) {
    guard unknownParts.isEmpty else {
      throw LogError(
        .newerVersion,
        "a newer version wrote \(unknownParts.joined(separator: ", ")), which would be lost; "
          + "use that version", path: path)
    }
  }
}

/// What a segment that is written anew is made of: frames that are there, and rows whose events are lost.
struct SegmentSource {
  /// A frame, or a place where one is missing.
  struct Piece {
    var positions: Range<UInt64>
    /// The frame; nil where there is none.
    var frame: FrameInfo?
    /// Whether none of its events can be read.
    var isLost = false
    /// Codes before those of the frame that have lost their names.
    var holes: [(vocabulary: Vocabulary, codes: Range<UInt32>)] = []
  }

  /// The path that the new file gets.
  var path: String
  var basePosition: UInt64
  var endPosition: UInt64
  var pieces: [Piece]
  /// The header of the file that is replaced; nil when there is none.
  var replaces: SegmentHeader?

  /// A segment that is whole.
  init(_ log: LogReader, segment index: Int) {
    let segment = log.segments[index]
    path = segment.path
    basePosition = segment.basePosition
    endPosition = segment.endPosition
    replaces = segment.header
    pieces = log.frames.filter { $0.segment == index }.map {
      Piece(positions: $0.basePosition..<$0.endPosition, frame: $0)
    }
  }

  init(path: String, positions: Range<UInt64>, pieces: [Piece], replaces: SegmentHeader?) {
    self.path = path
    basePosition = positions.lowerBound
    endPosition = positions.upperBound
    self.pieces = pieces
    self.replaces = replaces
  }

  /// Another salt than that of the file that is replaced, so that bytes of the one never pass for the
  /// other's; the same for the same file, so that the same log gives the same bytes.
  func salt(in log: LogID) -> UInt32 {
    let before = replaces ?? SegmentHeader(basePosition: basePosition, log: log, salt: 0)
    let salt = UInt32(truncatingIfNeeded: StableHash.of(before.bytes[...]))
    return salt == before.salt ? salt &+ 1 : salt
  }
}
