/// The files of a log, and what their headers say.
///
///     LOG/
///       LOCK                          held by the one writer; who it is stands inside
///       HEAD.0, HEAD.1                how far the log is durable; never needed
///       SEGMENTS                      which segments were written anew; never needed
///       seg-00000000000000000000.bdl  segments; the name is the position of the first event
///       seg-00000000000000065536.bdl
///       quarantine/                   bytes that a crash left behind; they are moved here, never deleted
struct LogDirectory {
  struct Segment {
    var path: String
    var file: any DiskFile
    var header: SegmentHeader
    /// Whether the header was damaged and made again from the file's name and its first frame.
    var isRebuilt = false

    /// The path that the file has when it is called after its position.
    var rightPath: String {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return (folder + [SegmentHeader.fileName(basePosition: header.basePosition)[...]])
        .joined(separator: "/")
    }
  }

  /// A segment that is passed over, for whoever reads on without it.
  struct LeftOut {
    var path: String
    /// The position in its name.
    var basePosition: UInt64
    var reason: String
  }

  static let lockName = "LOCK"
  static let quarantineName = "quarantine"
  /// What a log's folder holds beside segments.
  static let otherNames = Set(
    [lockName, quarantineName, SegmentList.name, LogFilling.name] + LogHead.names)

  /// Whether a file is one of those that a log's folder holds.
  static func isOfLog(_ name: String) -> Bool {
    let own =
      name.hasSuffix(SegmentRewriter.suffix)
      ? String(name.dropLast(SegmentRewriter.suffix.count)) : name
    return otherNames.contains(own) || SegmentHeader.basePosition(fileName: own) != nil
  }

  var path: String
  var segments: [Segment] = []
  /// The path of a last segment that a crash left without a whole header: it never held an event.
  var unborn: String?
  /// What could not be used; nothing unless damage is passed over.
  var leftOut: [LeftOut] = []
  /// The files that are not those which belong where they stand, in the order of their names.
  var misplaced: [MisplacedFile] = []
  /// The list of the segments that were written anew.
  var list = SegmentList.Found.none
  /// The id of the log, if any file says it.
  var log: LogID?
  /// Every event before this position was durable before the folder was listed.
  var durable: UInt64 = 0

  static func lockPath(_ path: String) -> String { path + "/" + lockName }

  /// Opens the segments of a log; none when the folder is there and empty.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - disk: Where it is.
  ///   - damaged: What to do when a file is damaged, or not the one that belongs there.
  ///   - acceptingEarlier: Whether earlier versions of segments are taken although events were erased since.
  /// - Throws: ``LogError`` when a file cannot be read, or may not be passed over.
  init(
    _ path: String, disk: any Disk, damaged: DamagePolicy = .strict, acceptingEarlier: Bool = false
  ) throws(LogError) {
    while true {
      let list = try SegmentList.read(in: path, disk)
      self = try LogDirectory(path, list, disk, damaged, acceptingEarlier)
      // Somebody may be writing segments anew: he says so in the list before he replaces one.
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
    // Before the segments: a writer at work only adds to what it has said to be durable.
    let heads = LogHead.read(in: path, disk)
    guard let names = try disk.list(path) else {
      throw LogError(.notFound, "there is no log here; check the path", path: path)
    }
    let known = names.filter { SegmentHeader.basePosition(fileName: $0) != nil }
    if known.isEmpty, names.contains(where: { !Self.otherNames.contains($0) }) {
      throw LogError(
        .notALog, "this folder holds other files and no log; name the folder of a log", path: path)
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
      if isLast, try Self.isUnborn(file, problem) {
        unborn = path + "/" + name
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

// MARK: Passing over damage

extension LogDirectory {
  /// Makes a damaged header again from the file's name and from what the first frame says, or leaves the
  /// segment out.
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
    // The id stands where it always does; it is used only where no other file says one.
    let id = try file.read(at: 24, count: 16)
    let header = SegmentHeader(basePosition: base, log: LogID(bytes: id), salt: frame.salt)
    segments.append(Segment(path: file.path, file: file, header: header, isRebuilt: true))
  }
}
