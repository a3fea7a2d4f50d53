/// The files of a log, and what their headers say.
///
///     LOG/
///       LOCK                          held by the one writer; who it is stands inside
///       seg-00000000000000000000.bdl  segments; the name is the position of the first event
///       seg-00000000000000065536.bdl
///       quarantine/                   bytes that a crash left behind; they are moved here, never deleted
struct LogDirectory {
  struct Segment {
    var path: String
    var file: any DiskFile
    var header: SegmentHeader
  }

  static let lockName = "LOCK"
  static let quarantineName = "quarantine"

  var path: String
  var segments: [Segment] = []
  /// The path of a last segment that a crash left without a whole header: it never held an event.
  var unborn: String?

  static func lockPath(_ path: String) -> String { path + "/" + lockName }

  /// Opens the segments of a log; none when the folder is there and empty.
  init(_ path: String, disk: any Disk) throws(LogError) {
    self.path = path
    guard let names = try disk.list(path) else {
      throw LogError(.notFound, "there is no log here; check the path", path: path)
    }
    let known = names.filter { SegmentHeader.basePosition(fileName: $0) != nil }
    if known.isEmpty, names.contains(where: { $0 != Self.lockName && $0 != Self.quarantineName }) {
      throw LogError(
        .notALog, "this folder holds other files and no log; name the folder of a log", path: path)
    }
    for (index, name) in known.enumerated() {
      let file = try disk.open(path + "/" + name, writable: false)
      do {
        let header = try SegmentHeader(try file.read(at: 0, count: SegmentHeader.byteCount))
        try add(Segment(path: path + "/" + name, file: file, header: header), name: name)
      } catch let problem as SegmentHeader.Problem {
        if index == known.count - 1, try Self.isUnborn(file, problem) {
          unborn = path + "/" + name
        } else {
          throw Self.error(problem, file.path)
        }
      } catch let error as LogError {
        throw error
      } catch {
        throw LogError(.inputOutput, "\(error)", path: path)
      }
    }
  }

  private mutating func add(_ segment: Segment, name: String) throws(LogError) {
    guard SegmentHeader.basePosition(fileName: name) == segment.header.basePosition else {
      throw LogError(
        .damaged,
        "the file is of position \(segment.header.basePosition); give it back its name "
          + SegmentHeader.fileName(basePosition: segment.header.basePosition), path: segment.path)
    }
    if let first = segments.first, first.header.log != segment.header.log {
      throw LogError(
        .damaged,
        "the file belongs to log \(segment.header.log), not to \(first.header.log); move it there",
        path: segment.path)
    }
    segments.append(segment)
  }

  /// Whether a crash while the segment was being made explains its header: nothing but a header fits
  /// into the file, or it has grown to whole pages (of 64 KiB at most) and nothing of it was written.
  private static func isUnborn(
    _ file: any DiskFile, _ problem: SegmentHeader.Problem
  ) throws(LogError) -> Bool {
    if case .newer = problem { return false }
    let size = try file.size()
    if size <= UInt64(SegmentHeader.byteCount) { return true }
    guard size <= 65_536 else { return false }
    return try file.read(at: 0, count: Int(size)).allSatisfy { $0 == 0 }
  }

  private static func error(_ problem: SegmentHeader.Problem, _ path: String) -> LogError {
    switch problem {
    case .short:
      LogError(.damaged, "the file ends within its header; take it from a backup", path: path)
    case .notASegment:
      LogError(.notALog, "this is not a segment of a log; move it elsewhere", path: path)
    case .damaged:
      LogError(
        .damaged, "the header is damaged; take the file from a backup", path: path, offset: 0)
    case .newer(let what):
      LogError(
        .newerVersion, "written by a newer version (\(what)); use that version to read it",
        path: path)
    }
  }
}
