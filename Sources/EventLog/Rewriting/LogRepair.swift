/// Removes what is damaged in a log, so that it can be read and written again: lost events keep their positions, and
/// everything else stays as it is.
///
/// Nothing is deleted: each rewritten file is copied to the quarantine first. Before any file is replaced, the
/// repaired log is read completely, and compared with what could be read of the damaged one. Files are replaced one by
/// one, each atomically, so that a crash leaves a log that the same call repairs.
public struct LogRepair {
  /// The result of a repair, or of its preview.
  public struct Summary: Sendable {
    /// The damage, in the order of the log.
    public var losses: [LogLoss] = []
    /// The number of lost events.
    public var lostEvents: UInt64 = 0
    /// The files that are rewritten or created.
    public var rewritten: [String] = []
    /// The useless files that are moved to the quarantine.
    public var leftOut: [String] = []
    /// The files that are renamed: their current and new paths.
    public var renamed: [(path: String, newPath: String)] = []
    /// The copies in the quarantine.
    public var quarantined: [String] = []
  }

  let path: String
  private(set) var disk: any Disk
  let log: LogReader
  let directory: LogDirectory
  /// The positions whose events are lost.
  private let lost: RangeSet<UInt64>
  /// The sizes of the files when they were examined.
  private let sizes: [String: UInt64]
  /// The digest of what can be read of the damaged log.
  private let readable: ReadDigest

  /// Finds the damage in a log, without changing anything.
  ///
  /// - Parameters:
  ///   - path: The folder of the log.
  ///   - acceptingEarlier: Whether segments are accepted that are earlier versions, from before events of them were
  ///     erased.
  ///   - progress: Called with the number of events read.
  /// - Throws: ``LogError`` if there is no log, if a newer version wrote a part of it, if a file cannot be read, or if
  ///   the user has to decide what is right; and errors of `progress`.
  /// - Complexity: O(number of events): all are read.
  public init(
    _ path: String, acceptingEarlier: Bool = false, progress: (UInt64) throws -> Void = { _ in }
  ) throws {
    try self.init(
      path, acceptingEarlier: acceptingEarlier, disk: SystemDisk(), progress: progress)
  }

  init(
    _ path: String, acceptingEarlier: Bool = false, disk: any Disk,
    progress: (UInt64) throws -> Void = { _ in }
  ) throws {
    self.path = path
    self.disk = disk
    let ledger = LossLedger()
    sizes = try Self.sizes(path, disk)
    directory = try LogDirectory(
      path, disk: disk, damaged: .skip, acceptingEarlier: acceptingEarlier)
    for file in directory.misplaced where file.kind == .beforeErasing {
      throw LogError(.damaged, file.message, path: file.path)
    }
    let scan = try LogScan(directory, damaged: .skip, ledger: ledger)
    log = LogReader(directory, scan, damaged: .skip, disk: disk, ledger: ledger)
    try log.requireRewritable()
    var readable = ReadDigest()
    try log.forEachEvent { record, position in
      readable.add(record, at: position)
      if position % 4_096 == 0 { try progress(position) }
    }
    self.readable = readable
    // Bytes that belong to no event may be damaged too.
    let places = Set(ledger.losses.map { Place(path: $0.path, offset: $0.offset) })
    for problem in try log.verify().problems
    where !places.contains(Place(path: problem.path, offset: problem.offset)) {
      ledger.add(
        LogLoss(
          path: problem.path, offset: problem.offset, column: nil, positions: 0..<0,
          reason: problem.reason))
    }
    lost = ledger.positions
    guard log.lostEventCount <= Self.largestLoss else {
      throw LogError(
        .damaged,
        "\(log.lostEventCount) events are recorded as durable and are missing; if that is wrong, move the files "
          + "\(LogHead.names.joined(separator: " and ")), which record it, away and try again",
        path: path)
    }
  }

  private struct Place: Hashable {
    var path: String
    var offset: UInt64
  }

  /// The maximum number of lost events: no log has more, and their positions would fill the disk.
  private static let largestLoss: UInt64 = 1 << 36

  /// Whether there is any damage to remove.
  public var isNeeded: Bool { !log.losses.isEmpty }

  /// The expected result of ``run(holder:progress:)``.
  public var preview: Summary {
    Summary(
      losses: log.losses, lostEvents: log.lostEventCount,
      rewritten: sources.map(\.path), leftOut: useless,
      renamed: misnamed.map { ($0.path, $0.rightPath) })
  }

  /// Repairs the log.
  ///
  /// - Parameters:
  ///   - holder: A description of the holder of the lock, shown to other writers.
  ///   - progress: Called with the number of events processed.
  /// - Returns: What was done.
  /// - Throws: ``LogError`` if the lock is held, the log has changed meanwhile, or a file cannot be read or written;
  ///   and errors of `progress`.
  public func run(
    holder: String = "", progress: (UInt64) throws -> Void = { _ in }
  ) throws -> Summary {
    guard isNeeded else { return preview }
    let held = try disk.holding(path)
    let lock = try held.lock(LogDirectory.lockPath(path), holder: holder)
    guard try Self.sizes(path, held) == sizes else {
      throw LogError(
        .locked, "the log was changed while it was being examined; try again", path: path)
    }
    var locked = self
    locked.disk = LockedDisk(disk: held, lock: lock)
    defer { withExtendedLifetime(lock) {} }
    return try locked.replaceFiles(progress)
  }

  private func replaceFiles(_ progress: (UInt64) throws -> Void) throws -> Summary {
    var summary = preview
    try SegmentRewriter.removeUnfinished(in: path, disk)
    let written = try write(progress)
    for path in useless { summary.quarantined += try putAside(path) }
    try giveNames()
    for (source, rewriter) in written {
      let names = Set((try disk.list(path) ?? []).map { path + "/" + $0 })
      if names.contains(source.path) { summary.quarantined += try copy(source.path) }
      try rewriter.replace()
    }
    try listSegments(Set(written.map(\.source.path)))
    return summary
  }

  /// Writes every new file under a temporary name, and verifies that the log they form contains everything that could
  /// be read.
  private func write(
    _ progress: (UInt64) throws -> Void
  ) throws -> [(source: SegmentSource, rewriter: SegmentRewriter)] {
    var written: [(source: SegmentSource, rewriter: SegmentRewriter)] = []
    var done: UInt64 = 0
    let (sources, plan) = (sources, try plan())
    do {
      for (index, source) in sources.enumerated() {
        var rewriter = try SegmentRewriter(log, source, plan: plan, disk: disk)
        _ = try rewriter.write(note: index == sources.count - 1 ? note : nil) { rows in
          done += UInt64(rows)
          try progress(done)
        }
        written.append((source, rewriter))
      }
      try checkRepaired(written)
    } catch {
      for (_, rewriter) in written { rewriter.discard() }
      throw error
    }
    return written
  }

  /// Reads the repaired log, which must be intact and contain every event that could be read before.
  private func checkRepaired(
    _ written: [(source: SegmentSource, rewriter: SegmentRewriter)]
  ) throws {
    var repaired = directory
    repaired.leftOut = []
    let replaced = Set(written.compactMap { $0.source.replaces?.basePosition })
    repaired.segments = zip(log.segments, directory.segments)
      .filter { $0.byteCount > 0 && !replaced.contains($1.header.basePosition) }.map(\.1)
    repaired.segments += written.map(\.rewriter.written)
    repaired.segments.sort { $0.header.basePosition < $1.header.basePosition }
    var digest = ReadDigest(only: readable)
    do {
      let scan = try LogScan(repaired)
      let reader = LogReader(repaired, scan, disk: disk)
      try reader.forEachEvent { record, position in digest.add(record, at: position) }
      if let problem = try reader.verify().problems.first {
        throw LogError(.damaged, problem.reason, path: problem.path, offset: problem.offset)
      }
    } catch let error as LogError where error.code == .damaged {
      throw LogError(
        .damaged,
        "the repaired log could not be read (\(error.description)), so nothing was changed: restore the damaged "
          + "files from a backup, or read what is left with --damaged skip", path: path)
    }
    guard digest == readable else {
      throw LogError(
        .damaged,
        "the repaired log would lack events that can still be read, so nothing was changed: restore the damaged "
          + "files from a backup, or read what is left with --damaged skip", path: path)
    }
  }

  private static func sizes(_ path: String, _ disk: any Disk) throws(LogError) -> [String: UInt64] {
    var sizes: [String: UInt64] = [:]
    for name in try disk.list(path) ?? [] where SegmentHeader.basePosition(fileName: name) != nil {
      sizes[name] = try disk.open(path + "/" + name, writable: false).size()
    }
    return sizes
  }

  private func copy(_ path: String) throws(LogError) -> [String] {
    [try Quarantine.copy(try disk.open(path, writable: false), in: self.path, disk)]
  }

  private func putAside(_ path: String) throws(LogError) -> [String] {
    let copies = try copy(path)
    try disk.remove(path)
    try disk.syncFolder(self.path)
    return copies
  }

  private func plan() throws(LogError) -> SegmentRewriter.Plan {
    SegmentRewriter.Plan(
      profile: nil, names: try LogNames(log, [.shapes, .lists, .attributes]),
      absent: { reader throws(LogError) in
        let base = reader.frame.basePosition
        return (0..<reader.frame.rows).map { row in
          lost.contains(base + UInt64(row)) ? AbsentKind.lost : 0
        }
      })
  }

  private var note: String {
    "{\"operation\":\"repair\",\"position\":\(log.eventCount),\"events\":\(log.lostEventCount)}"
  }
}

// MARK: Files to rewrite

extension LogRepair {
  /// The segments that are damaged, and those that are missing, in order.
  private var sources: [SegmentSource] {
    var sources: [SegmentSource] = []
    var codes = CodeLimits()
    var position: UInt64 = 0
    for (index, segment) in log.segments.enumerated() where segment.byteCount > 0 {
      let first = log.frames.firstIndex { $0.segment >= index } ?? log.frames.count
      let end = log.frames.firstIndex { $0.segment > index } ?? log.frames.count
      if position < segment.basePosition {
        sources.append(missing(position..<segment.basePosition, before: first, &codes))
      }
      position = segment.endPosition
      if isDamaged(index) {
        sources.append(source(index, first..<end, &codes))
      } else {
        for frame in log.frames[first..<end] { codes.take(frame) }
      }
    }
    if position < log.eventCount {
      sources.append(missing(position..<log.eventCount, before: log.frames.count, &codes))
    }
    return sources
  }

  private func isDamaged(_ index: Int) -> Bool {
    let segment = log.segments[index]
    let remarks = directory.misplaced.filter { $0.path == segment.path }.map(\.message)
    return directory.segments[index].isRebuilt
      || log.losses.contains { loss in
        loss.path == segment.path && !remarks.contains(loss.reason)
          || loss.positions.overlaps(segment.basePosition..<segment.endPosition)
      }
  }

  private func source(
    _ index: Int, _ frames: Range<Int>, _ codes: inout CodeLimits
  ) -> SegmentSource {
    let segment = log.segments[index]
    var pieces: [SegmentSource.Piece] = []
    var position = segment.basePosition
    for number in frames {
      let frame = log.frames[number]
      let positions = frame.basePosition..<frame.endPosition
      if position < positions.lowerBound {
        pieces += lostPieces(position..<positions.lowerBound, before: number, &codes)
      }
      codes.take(frame)
      let isLost = frame.rows > 0 && RangeSet(positions).isSubset(of: lost)
      pieces.append(.init(positions: positions, frame: frame, isLost: isLost))
      position = positions.upperBound
    }
    if position < segment.endPosition {
      pieces += lostPieces(position..<segment.endPosition, before: frames.upperBound, &codes)
    }
    return SegmentSource(
      path: directory.segments[index].rightPath,
      positions: segment.basePosition..<segment.endPosition, pieces: pieces,
      replaces: segment.header)
  }

  /// Returns the source of a missing segment.
  private func missing(
    _ positions: Range<UInt64>, before number: Int, _ codes: inout CodeLimits
  ) -> SegmentSource {
    let name = SegmentHeader.fileName(basePosition: positions.lowerBound)
    return SegmentSource(
      path: path + "/" + name, positions: positions,
      pieces: lostPieces(positions, before: number, &codes), replaces: nil)
  }

  /// Returns rows without events, and codes without names, divided into frames of at most the maximum size.
  private func lostPieces(
    _ positions: Range<UInt64>, before number: Int, _ codes: inout CodeLimits
  ) -> [SegmentSource.Piece] {
    let next = codes.next(before: number, in: log)
    return stride(
      from: positions.lowerBound, to: positions.upperBound, by: FrameHeader.maximumRows
    ).map { start in
      let end = min(positions.upperBound, start + UInt64(FrameHeader.maximumRows))
      // A frame has no more new units than events: codes that do not fit come with the next lost rows.
      var piece = SegmentSource.Piece(positions: start..<end)
      piece.holes = codes.takeHoles(upTo: next, rows: Int(end - start))
      return piece
    }
  }
}

/// The codes assigned so far.
private struct CodeLimits {
  private var limits = Vocabulary.allCases.map(\.firstCode)

  /// Adds the names of a frame.
  mutating func take(_ frame: FrameInfo) {
    for entry in frame.entries {
      guard let vocabulary = entry.column.vocabulary else { continue }
      limits[vocabulary.index] = UInt32(clamping: entry.low + Int64(entry.values))
    }
  }

  /// Returns the codes with which names continue after the gap before a frame: those of the next names, or the first
  /// that the log does not use.
  func next(before number: Int, in log: LogReader) -> [UInt32] {
    var next: [UInt32] = Vocabulary.allCases.map { log.codeLimit($0) }
    for frame in log.frames[number...].reversed() {
      for entry in frame.entries {
        guard let vocabulary = entry.column.vocabulary else { continue }
        next[vocabulary.index] = UInt32(clamping: entry.low)
      }
    }
    return next
  }

  /// Removes and returns the lost codes before the next ones, as many as fit into a number of lost rows.
  mutating func takeHoles(
    upTo next: [UInt32], rows: Int
  ) -> [(vocabulary: Vocabulary, codes: Range<UInt32>)] {
    var holes: [(vocabulary: Vocabulary, codes: Range<UInt32>)] = []
    for vocabulary in Vocabulary.allCases {
      let from = limits[vocabulary.index]
      var to = next[vocabulary.index]
      if vocabulary == .units { to = min(to, from + UInt32(clamping: rows)) }
      guard to > from else { continue }
      holes.append((vocabulary, from..<to))
      limits[vocabulary.index] = to
    }
    return holes
  }
}
