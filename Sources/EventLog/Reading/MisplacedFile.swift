/// A file in the folder of a log that does not belong there; its contents need not be damaged.
package struct MisplacedFile: Hashable, Sendable {
  /// The reason why a file is misplaced.
  package enum Kind: Hashable, Sendable {
    /// A segment of another log.
    case stranger
    /// A second file of an existing segment.
    case double
    /// A segment under the name of another position.
    case misnamed
    /// An earlier version of a segment that has been rewritten since.
    case earlier
    /// An earlier version of a segment from which events have been erased since.
    case beforeErasing
    /// A missing segment.
    case missing
  }

  /// The path of the file.
  package var path: String
  /// The reason why the file is misplaced.
  package var kind: Kind
  /// The position of its first event.
  package var basePosition: UInt64
  /// The problem, in words.
  package var reason: String
  /// How to fix it, without losing any existing data.
  package var remedy: String

  /// The problem and how to fix it, as shown everywhere.
  package var message: String { reason + "; " + remedy }
}

extension MisplacedFile {
  static func stranger(_ segment: LogDirectory.Segment, in log: LogID) -> MisplacedFile {
    MisplacedFile(
      path: segment.path, kind: .stranger, basePosition: segment.header.basePosition,
      reason: "the segment belongs to log \(segment.header.log), not to \(log)",
      remedy:
        "restore the log's own file from a backup, if this one has taken its place; then, or without "
        + "one, `bandolier log repair` moves this file to the quarantine, and drops the missing events"
    )
  }

  static func double(
    _ segment: LogDirectory.Segment, of used: LogDirectory.Segment
  ) -> MisplacedFile {
    let name = used.path.split(separator: "/").last ?? ""
    return MisplacedFile(
      path: segment.path, kind: .double, basePosition: segment.header.basePosition,
      reason: "the same segment as \(name), which is the one that counts",
      remedy: "`bandolier log repair` moves this file to the quarantine")
  }

  static func misnamed(_ segment: LogDirectory.Segment) -> MisplacedFile {
    MisplacedFile(
      path: segment.path, kind: .misnamed, basePosition: segment.header.basePosition,
      reason: "the file is the segment of position \(segment.header.basePosition)",
      remedy: "`bandolier log repair` restores its name, "
        + SegmentHeader.fileName(basePosition: segment.header.basePosition))
  }

  static func earlier(_ segment: LogDirectory.Segment, erased: Bool) -> MisplacedFile {
    MisplacedFile(
      path: segment.path, kind: erased ? .beforeErasing : .earlier,
      basePosition: segment.header.basePosition,
      reason: "an earlier version of the segment, from before "
        + (erased ? "events of it were erased" : "it was compacted or repaired"),
      remedy: erased
        ? "restore the right file from a backup; without one, `bandolier log repair --accept-earlier` accepts "
          + "this one, and what was erased since must be erased again (bandolier log erase)"
        : "`bandolier log repair` accepts it as it is")
  }

  static func missing(_ basePosition: UInt64, in folder: String) -> MisplacedFile {
    MisplacedFile(
      path: folder + "/" + SegmentHeader.fileName(basePosition: basePosition), kind: .missing,
      basePosition: basePosition, reason: "the file of this segment is missing",
      remedy:
        "restore it from a backup; without one, `bandolier log repair` drops the missing events")
  }
}
