extension LogReader {
  /// Throws if rewriting the log would lose data written by a newer version.
  func requireRewritable() throws(LogError) {
    guard unknownParts.isEmpty else {
      throw LogError(
        .newerVersion,
        "a newer version wrote \(unknownParts.joined(separator: ", ")), which would be lost; "
          + "use that version", path: path)
    }
  }
}

/// The contents of a rewritten segment: existing frames, and rows whose events are lost.
struct SegmentSource {
  /// A frame, or the place of a missing one.
  struct Piece {
    var positions: Range<UInt64>
    /// The frame; nil if it is missing.
    var frame: FrameInfo?
    /// Whether none of its events can be read.
    var isLost = false
    /// Codes before those of the frame that have lost their names.
    var holes: [(vocabulary: Vocabulary, codes: Range<UInt32>)] = []
  }

  /// The path of the new file.
  var path: String
  var basePosition: UInt64
  var endPosition: UInt64
  var pieces: [Piece]
  /// The header of the file that is replaced; nil if there is none.
  var replaces: SegmentHeader?

  /// Creates the source of an intact segment.
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

  /// Returns a salt other than that of the replaced file, so that bytes of one are never taken for the other's; it is
  /// deterministic, so that the same log gives the same bytes.
  func salt(in log: LogID) -> UInt32 {
    let before = replaces ?? SegmentHeader(basePosition: basePosition, log: log, salt: 0)
    let salt = UInt32(truncatingIfNeeded: StableHash.of(before.bytes[...]))
    return salt == before.salt ? salt &+ 1 : salt
  }
}
