/// Scans the segments of a log for its frames.
struct LogScan {
  private(set) var frames = FrameList()
  /// The end of each segment. Events that are lost after its last frame belong to it.
  private(set) var ends: [(position: UInt64, offset: UInt64)] = []
  private(set) var tail: LogReader.Tail?
  /// The checksum to which the next frame is chained.
  private(set) var previous: UInt32 = 0
  /// The exclusive upper bound of the codes of each vocabulary.
  var codeLimits: [UInt32] = Vocabulary.allCases.map(\.firstCode)
  /// The position after the last event.
  private(set) var endPosition: UInt64 = 0
  let policy: DamagePolicy
  let ledger: LossLedger
  /// Whether events are lost, so that names may be missing.
  private(set) var hasLost = false
  /// Every event before this position was durable, according to the frames of the last segment.
  private(set) var proven: UInt64 = 0

  /// Finds the frames of a log. Other bytes are allowed only after those of the last segment.
  ///
  /// - Parameters:
  ///   - directory: The files of the log.
  ///   - damaged: How to handle damage to durable data.
  ///   - ledger: Records what is lost.
  /// - Throws: ``LogError`` if durable data is damaged and may not be skipped, or was written by a newer version.
  init(
    _ directory: LogDirectory, damaged: DamagePolicy = .strict, ledger: LossLedger = LossLedger()
  ) throws(LogError) {
    policy = damaged
    self.ledger = ledger
    for index in directory.segments.indices { try add(directory, index) }
    try cutUnproven(directory)
    try requireDurable(directory)
    noteLeftOut(directory)
  }

  /// Finds the frames of a segment.
  private mutating func add(_ directory: LogDirectory, _ index: Int) throws(LogError) {
    proven = 0
    let segment = directory.segments[index]
    guard try follows(segment, directory) else {
      ends.append((endPosition, 0))
      return
    }
    var scanner = try FrameScanner(file: segment.file, header: segment.header, segment: index)
    if segment.isRebuilt {
      try scanner.chainToFirstFrame()
      lose(segment.path, 0, endPosition..<endPosition, "the header is damaged")
    }
    endPosition = segment.header.basePosition
    try addFrames(of: &scanner, directory)
  }

  /// Finds the frames of a segment from where the scanner stands.
  private mutating func addFrames(
    of scanner: inout FrameScanner, _ directory: LogDirectory
  ) throws(LogError) {
    scanning: while true {
      switch try scanner.next() {
      case .frame(let frame): try take(frame, path: scanner.file.path)
      case .end: break scanning
      case .nothing(let reason):
        guard try goOn(&scanner, reason, directory) else { break scanning }
      }
    }
    previous = scanner.previous
    ends.append((endPosition, tail == nil ? scanner.size : scanner.offset))
  }

  /// Checks that a segment begins where the one before it ended.
  ///
  /// - Returns: False if it must be excluded, because it holds events that others hold already.
  private mutating func follows(
    _ segment: LogDirectory.Segment, _ directory: LogDirectory
  ) throws(LogError) -> Bool {
    let (before, base) = (endPosition, segment.header.basePosition)
    if before == base { return true }
    guard policy == .skip else {
      throw LogError(
        .damaged,
        before < base
          ? "the events \(before) to \(base - 1) are missing before this segment: restore the missing file "
            + "from a backup; without one, `bandolier log repair` drops the events"
          : "the segment before it goes up to event \(before - 1) already: restore the right file from a "
            + "backup; without one, `bandolier log repair` moves this one to the quarantine",
        path: segment.path)
    }
    guard before < base, base <= LogPosition.limit else {
      lose(segment.path, 0, before..<before, "the segment overlaps others and is skipped")
      return false
    }
    let unread = directory.leftOut.first { $0.basePosition >= before && $0.basePosition < base }
    lose(unread?.path ?? directory.path, 0, before..<base, unread?.reason ?? "a segment is missing")
    return true
  }

  // MARK: Frames

  private mutating func take(_ frame: FrameInfo, path: String) throws(LogError) {
    endPosition = frame.endPosition
    do throws(LogError) {
      try addNames(frame, path: path)
      frames.append(frame)
      proven = max(proven, frame.header.durable)
    } catch {
      guard policy == .skip else { throw error }
      lose(path, frame.offset, frame.basePosition..<frame.endPosition, error.message)
    }
  }

  private mutating func addNames(_ frame: FrameInfo, path: String) throws(LogError) {
    var limits = codeLimits
    for entry in frame.entries {
      guard let vocabulary = entry.column.vocabulary else { continue }
      let index = vocabulary.index
      // An event has one unit, so there are no more units than events: this bounds an array of all units' codes.
      guard vocabulary != .units || Int(entry.values) <= frame.rows || !frame.isKnown else {
        throw LogError(
          .damaged,
          "\(entry.values) new units in \(frame.rows) events; restore the file from a backup",
          path: path, offset: frame.offset)
      }
      // An array of all codes must be bounded, so a count is only accepted if the texts support it.
      let most =
        entry.hasGaps
        ? min(Int(entry.rawLength) * 8, Int(Self.largestHole))
        : TextStream.largestCount(byteCount: Int(entry.rawLength))
      guard Int(entry.values) <= most
      else {
        throw LogError(
          .damaged,
          "\(entry.values) names in \(entry.rawLength) bytes; restore the file from a backup",
          path: path, offset: frame.offset)
      }
      let end = entry.low.addingReportingOverflow(Int64(entry.values))
      guard isNext(entry.low, limits[index], frame, vocabulary), !end.overflow,
        let limit = UInt32(exactly: end.partialValue)
      else {
        throw LogError(
          .damaged,
          "\(vocabulary.name) begin with code \(entry.low), not \(limits[index]); "
            + "restore the file from a backup", path: path, offset: frame.offset)
      }
      limits[index] = limit
    }
    codeLimits = limits
    if hasLost { makeRoomForLostNames(frame) }
  }

  /// Recomputes the code limits from the frames found.
  private mutating func countCodes() {
    codeLimits = Vocabulary.allCases.map(\.firstCode)
    for frame in frames {
      for entry in frame.entries {
        guard let vocabulary = entry.column.vocabulary else { continue }
        codeLimits[vocabulary.index] = UInt32(clamping: entry.low + Int64(entry.values))
      }
      if hasLost { makeRoomForLostNames(frame) }
    }
  }

  // MARK: Bytes that are no frame

  /// Distinguishes a tail left by a crash or an active writer from damage to durable data, and continues after damage
  /// if allowed.
  ///
  /// - Returns: Whether there is more to read in the segment.
  private mutating func goOn(
    _ scanner: inout FrameScanner, _ reason: String, _ directory: LogDirectory
  ) throws(LogError) -> Bool {
    let (offset, isLast) = (scanner.offset, scanner.segment == directory.segments.count - 1)
    let path = scanner.file.path
    var durable = directory.durable
    if isLast {
      if durable <= endPosition {
        durable = max(durable, try scanner.durablePosition(behind: offset))
      }
      if durable <= endPosition {
        tail = LogReader.Tail(path: path, offset: offset, byteCount: scanner.size - offset)
        return false
      }
    }
    guard policy == .skip else {
      throw LogError(
        .damaged,
        "\(reason), but the events from \(endPosition) on were durable; "
          + "restore the file from a backup", path: path, offset: offset)
    }
    let next = directory.segments[(scanner.segment + 1)...].first {
      $0.header.basePosition > directory.segments[scanner.segment].header.basePosition
    }?.header.basePosition
    // The segment may extend beyond the start of the next one: nothing of that can be used.
    let limit = max(endPosition, next ?? LogPosition.limit)
    if let found = try scanner.resume(at: endPosition, below: limit) {
      if found.frame.offset > offset || found.frame.basePosition > endPosition {
        lose(path, offset, endPosition..<found.frame.basePosition, reason)
      }
      for note in found.notes {
        lose(path, found.frame.offset, found.frame.basePosition..<found.frame.basePosition, note)
      }
      try take(found.frame, path: path)
      return true
    }
    let end = max(endPosition, isLast ? durable : next ?? endPosition)
    lose(path, offset, endPosition..<end, reason)
    endPosition = end
    return false
  }

  /// Records what is lost; also a location without a lost event.
  private mutating func lose(
    _ path: String, _ offset: UInt64, _ positions: Range<UInt64>, _ reason: String
  ) {
    hasLost = hasLost || !positions.isEmpty
    ledger.add(
      LogLoss(path: path, offset: offset, column: nil, positions: positions, reason: reason))
  }

  // MARK: The end of the log

  /// Checks the bytes of the frames at the end that nothing proves durable: after a crash the ends of a frame may be
  /// on disk and its middle may not. The first incomplete one begins the tail.
  private mutating func cutUnproven(_ directory: LogDirectory) throws(LogError) {
    let index = directory.segments.count - 1
    let proven = max(directory.durable, proven)
    var start = frames.count
    while start > 0, frames[start - 1].segment == index, frames[start - 1].endPosition > proven {
      start -= 1
    }
    for number in start..<frames.count {
      let check = FrameCheck(file: directory.segments[index].file, frame: frames[number])
      if try !check.isWhole() { return cut(at: number, directory) }
    }
  }

  /// Drops the frames of the last segment from one on: they become the tail.
  mutating func cut(at number: Int, _ directory: LogDirectory) {
    let segment = directory.segments[directory.segments.count - 1]
    let frame = frames[number]
    // The size at the time the frames were searched.
    let size = tail.map { $0.offset + $0.byteCount } ?? ends[ends.count - 1].offset
    let isFirst = number == 0 || frames[number - 1].segment != frame.segment
    frames.removeAll(from: number)
    proven = frames.lazy.filter { $0.segment == frame.segment }.map(\.header.durable).max() ?? 0
    previous = isFirst ? segment.header.crc : frames[number - 1].check
    endPosition = frame.basePosition
    ends[ends.count - 1] = (frame.basePosition, frame.offset)
    tail = LogReader.Tail(
      path: segment.path, offset: frame.offset, byteCount: size - frame.offset)
    countCodes()
  }

  /// Checks whether durable events are missing at the end.
  private mutating func requireDurable(_ directory: LogDirectory) throws(LogError) {
    let durable = directory.durable
    guard endPosition < durable else { return }
    let path = directory.segments.last?.path ?? directory.path
    let offset = ends.last?.offset ?? 0
    guard policy == .skip else {
      throw LogError(
        .damaged,
        "the events \(endPosition) to \(durable - 1) were durable and are missing: restore the file from a "
          + "backup; without one, `bandolier log repair` drops the events", path: path,
        offset: directory.segments.isEmpty ? nil : offset)
    }
    let unread = directory.leftOut.first { $0.basePosition >= endPosition }
    lose(
      unread?.path ?? path, unread == nil ? offset : 0, endPosition..<durable,
      unread?.reason ?? "the end of the log is missing")
    endPosition = durable
    if !ends.isEmpty { ends[ends.count - 1].position = durable }
  }

  /// Records the segments that could not be used and have no loss yet.
  private mutating func noteLeftOut(_ directory: LogDirectory) {
    guard policy == .skip else { return }
    let named = Set(ledger.losses.map(\.path))
    let aside = Set(directory.leftOut.map(\.path))
    for file in directory.misplaced where !aside.contains(file.path) {
      let position = min(file.basePosition, endPosition)
      lose(file.path, 0, position..<position, file.message)
    }
    if directory.list == .damaged {
      lose(
        directory.path + "/" + SegmentList.name, 0, 0..<0,
        "it is damaged or of another log, and does not prove that no earlier version of a segment was put "
          + "back; `bandolier log repair` writes it anew")
    }
    for segment in directory.leftOut where !named.contains(segment.path) {
      let position = min(segment.basePosition, endPosition)
      lose(segment.path, 0, position..<position, segment.reason)
    }
  }
}

// MARK: Continuing

extension LogScan {
  /// Scans what was added to a log since a reader of it was opened. The result has the frames of the whole log; it is
  /// nil if the log was changed in another way than by appending.
  ///
  /// A file of a segment is the same if it has the same header: one that replaces it has another salt. The frames of
  /// the last segment are the same if the last of them is, because each repeats the checksum of the one before it.
  ///
  /// - Parameters:
  ///   - reader: A reader that has lost nothing.
  ///   - directory: The files of the log now.
  /// - Throws: ``LogError`` as when a log is opened.
  /// - Complexity: O(number of segments + number of new frames).
  init?(continuing reader: LogReader, _ directory: LogDirectory) throws(LogError) {
    let known = reader.segments
    guard let last = known.last, known.count <= directory.segments.count else { return nil }
    for (before, now) in zip(known, directory.segments) {
      guard !now.isRebuilt, now.path == before.path, now.header == before.header else { return nil }
    }
    for (before, now) in zip(known.dropLast(), directory.segments) {
      guard try now.file.size() == before.byteCount else { return nil }
    }
    let index = known.count - 1
    policy = .strict
    ledger = LossLedger()
    ends = known.dropLast().map { ($0.endPosition, $0.byteCount) }
    guard
      var scanner = try FrameScanner(
        resuming: reader, directory.segments[index].file, segment: index)
    else { return nil }
    frames = reader.frames
    codeLimits = reader.codeLimits
    endPosition = last.endPosition
    proven = reader.proven
    try addFrames(of: &scanner, directory)
    for index in known.count..<directory.segments.count { try add(directory, index) }
    try cutUnproven(directory)
    try requireDurable(directory)
  }
}

extension FrameScanner {
  /// Creates a scanner that continues after the last frame that a reader knows of a segment; nil if this frame is not
  /// there any more.
  ///
  /// - Throws: ``LogError`` if the file cannot be read.
  init?(
    resuming reader: LogReader, _ file: any DiskFile, segment: Int
  ) throws(LogError) {
    try self.init(file: file, header: reader.segments[segment].header, segment: segment)
    guard let last = reader.frames.last, last.segment == segment else { return }
    let before = reader.frames.dropLast().last
    if let before, before.segment == segment { goOn(behind: before) }
    guard last.offset < size, case .frame(let found) = try next(),
      (found.offset, found.check) == (last.offset, last.check)
    else { return nil }
  }
}
