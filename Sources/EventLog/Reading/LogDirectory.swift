/// The files of a log, with their headers.
///
///     LOG/
///       LOCK                          held by the single writer; contains its description
///       HEAD.0, HEAD.1                how far the log is durable; optional
///       SEGMENTS                      which segments were rewritten; optional
///       IMPORTS                       which files were imported; optional
///       SNAPSHOT                      what the service makes of the events, to start faster; optional
///       seg-00000000000000000000.bdl  segments; the name is the position of the first event
///       seg-00000000000000065536.bdl
///       quarantine/                   bytes left by a crash; they are moved here, never deleted
struct LogDirectory {
  struct Segment {
    var path: String
    var file: any DiskFile
    var header: SegmentHeader
    /// Whether the header was damaged and rebuilt from the file's name and its first frame.
    var isRebuilt = false

    /// The path of a file named after its position.
    var rightPath: String {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return (folder + [SegmentHeader.fileName(basePosition: header.basePosition)[...]])
        .joined(separator: "/")
    }
  }

  /// A segment that is skipped when reading continues without it.
  struct LeftOut {
    var path: String
    /// The position in its name.
    var basePosition: UInt64
    var reason: String
  }

  static let lockName = "LOCK"
  static let quarantineName = "quarantine"
  static let importsName = "IMPORTS"
  /// The name of a file that a program makes of what the log has, and that can be made again; an erasure removes it.
  static let snapshotName = "SNAPSHOT"
  /// The names of that file, and of one that is being written.
  static let snapshotNames = [snapshotName, snapshotName + ".new"]

  /// The names in a log's folder besides segments.
  static let otherNames = Set(
    [lockName, quarantineName, importsName, SegmentList.name, LogFilling.name] + LogHead.names
      + snapshotNames)

  /// Removes the file that is made of what the log has, if there is one.
  static func removeSnapshot(in folder: String, _ disk: any Disk) throws(LogError) {
    let names = try disk.list(folder) ?? []
    for name in names where snapshotNames.contains(name) { try disk.remove(folder + "/" + name) }
  }

  /// Returns whether a file name is one of those in a log's folder.
  static func isOfLog(_ name: String) -> Bool {
    let own =
      name.hasSuffix(SegmentRewriter.suffix)
      ? String(name.dropLast(SegmentRewriter.suffix.count)) : name
    return otherNames.contains(own) || SegmentHeader.basePosition(fileName: own) != nil
  }

  var path: String
  var segments: [Segment] = []
  /// The path of a last segment that a crash left without a complete header: it never held an event.
  var incompleteSegment: String?
  /// The segments that could not be used; empty unless damage is skipped.
  var leftOut: [LeftOut] = []
  /// The files that do not belong where they are, sorted by name.
  var misplaced: [MisplacedFile] = []
  /// The list of the rewritten segments.
  var list = SegmentList.Found.none
  /// The id of the log, if any file contains it.
  var log: LogID?
  /// Every event before this position was durable before the folder was listed.
  var durable: UInt64 = 0

  static func lockPath(_ path: String) -> String { path + "/" + lockName }

  /// Opens the segments of a log; none if the folder exists and is empty.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - disk: The disk of the folder.
  ///   - damaged: How to handle a file that is damaged, or does not belong there.
  ///   - acceptingEarlier: Whether earlier versions of segments are accepted although events were erased since.
  /// - Throws: ``LogError`` if a file cannot be read, or may not be skipped.
  init(
    _ path: String, disk: any Disk, damaged: DamagePolicy = .strict, acceptingEarlier: Bool = false
  ) throws(LogError) {
    while true {
      let list = try SegmentList.read(in: path, disk)
      self = try LogDirectory(path, list, disk, damaged, acceptingEarlier)
      // Another process may be rewriting segments: it updates the list before it replaces one.
      let isEarlier = misplaced.contains { $0.kind == .earlier || $0.kind == .beforeErasing }
      if !isEarlier { break }
      if try SegmentList.read(in: path, disk) == list { break }
    }
    if damaged == .strict, let first = misplaced.first {
      throw LogError(.damaged, first.message, path: first.path)
    }
  }

  private init(
    _ path: String, _ list: SegmentList.Found, _ disk: any Disk, _ damaged: DamagePolicy,
    _ acceptingEarlier: Bool
  ) throws(LogError) {
    self.path = path
    self.list = list
    // Read before the segments: an active writer only appends to what it has recorded as durable.
    let heads = LogHead.read(in: path, disk)
    guard let names = try disk.list(path) else {
      throw LogError(.notFound, "there is no log here; check the path", path: path)
    }
    let known = names.filter { SegmentHeader.basePosition(fileName: $0) != nil }
    if known.isEmpty, names.contains(where: { !Self.otherNames.contains($0) }) {
      throw LogError(
        .notALog, "the folder has other files but no log; name the folder of a log", path: path)
    }
    for name in known { try open(name, isLast: name == known.last, disk, damaged) }
    try place(heads.compactMap { $0?.log }, acceptingEarlier)
    for head in heads where log == nil || head?.log == log {
      durable = max(durable, head?.durable ?? 0)
    }
    log = log ?? heads.compactMap { $0?.log }.first ?? segments.first?.header.log
  }

  private mutating func open(
    _ name: String, isLast: Bool, _ disk: any Disk, _ damaged: DamagePolicy
  ) throws(LogError) {
    let file = try disk.open(path + "/" + name, writable: false)
    do {
      let header = try SegmentHeader(try file.read(at: 0, count: SegmentHeader.byteCount))
      segments.append(Segment(path: path + "/" + name, file: file, header: header))
    } catch let problem as SegmentHeader.Problem {
      if isLast, try Self.isIncomplete(file, problem) {
        incompleteSegment = path + "/" + name
      } else {
        let error = Self.error(problem, file.path)
        guard damaged == .skip, error.code != .newerVersion else { throw error }
        try rebuild(file, name: name, error)
      }
    } catch let error as LogError {
      throw error
    } catch {
      throw LogError(.inputOutput, "\(error)", path: path)
    }
  }

  /// Returns whether a crash during the creation of the segment explains its header: nothing but a header fits into
  /// the file, or it has grown to whole pages (of 64 KiB at most) and nothing of it was written.
  private static func isIncomplete(
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
      LogError(.damaged, "the file ends within its header; restore it from a backup", path: path)
    case .notASegment:
      LogError(
        .notALog,
        "this is not a segment of a log, or its first bytes are damaged; restore the file from a backup, or move "
          + "it elsewhere if it never belonged to the log", path: path)
    case .damaged:
      LogError(
        .damaged, "the header is damaged; restore the file from a backup", path: path, offset: 0)
    case .newer(let what):
      LogError(
        .newerVersion, "written by a newer version (\(what)); use that version to read it",
        path: path)
    }
  }
}

// MARK: Skipping damage

extension LogDirectory {
  /// Rebuilds a damaged header from the file's name and the first frame, or excludes the segment.
  private mutating func rebuild(
    _ file: any DiskFile, name: String, _ error: LogError
  ) throws(LogError) {
    let base = SegmentHeader.basePosition(fileName: name) ?? 0
    let start = try file.read(
      at: UInt64(SegmentHeader.byteCount), count: FrameHeader.byteCount)
    guard let (frame, _) = FrameHeader.read(start[...]), frame.basePosition == base else {
      leftOut.append(
        LeftOut(
          path: file.path, basePosition: base,
          reason: error.code == .notALog ? "not a segment" : "the header is damaged"))
      return
    }
    // The id is always at this offset; it is used only if no other file contains one.
    let id = try file.read(at: 24, count: 16)
    let header = SegmentHeader(basePosition: base, log: LogID(bytes: id), salt: frame.salt)
    segments.append(Segment(path: file.path, file: file, header: header, isRebuilt: true))
  }
}
