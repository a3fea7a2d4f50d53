extension LogWriterState {
  /// Acquires the lock, finds the end of the log, moves what a crash left after it to the quarantine, and reads the
  /// names.
  static func open(
    _ path: String, options: LogOptions, disk: any Disk
  ) throws(LogError) -> sending (state: LogWriterState, recovered: RecoveredTail?) {
    // Before anything else is said of files that may be torn.
    if !options.isFilling { try LogFilling.requireFinished(path, disk) }
    let isUnfinished = options.isFilling ? try LogFilling.isUnfinished(path, disk) : false
    if !isUnfinished { try prepareFolder(path, disk) }
    let held = try disk.holding(path)
    let lock = try held.lock(LogDirectory.lockPath(path), holder: options.holder)
    let disk = LockedDisk(disk: held, lock: lock)
    if options.isFilling {
      try LogFilling.begin(in: path, disk)
    } else {
      try LogFilling.requireFinished(path, disk)
    }
    let directory = try LogDirectory(path, disk: disk)
    for segment in directory.segments where segment.header.writable != 0 {
      throw LogError(
        .newerVersion,
        "a newer version gave the log features (\(segment.header.writable)) that this one cannot "
          + "append with; use that version", path: segment.path)
    }
    try SegmentRewriter.removeUnfinished(in: path, disk)
    var scan = try LogScan(directory)
    try checkLastSegment(&scan, directory)
    var recovered: RecoveredTail?
    if let incompleteSegment = directory.incompleteSegment {
      recovered = try setAsideUnborn(incompleteSegment, in: path, disk)
    }
    guard !directory.segments.isEmpty else {
      return (try create(path, options, disk, lock), recovered)
    }
    if let tail = scan.tail {
      recovered = try setAside(tail, in: path, disk)
    }
    try settleList(directory, disk)
    return (try resume(path, options, disk, lock, directory, scan), recovered)
  }

  /// If a crash interrupted the replacement of a segment, makes the existing file the only valid one.
  private static func settleList(_ directory: LogDirectory, _ disk: any Disk) throws(LogError) {
    guard let found = directory.list.list else { return }
    var list = found
    for segment in directory.segments
    where found.entries(at: segment.header.basePosition).count > 1 {
      list.settle(segment.header)
    }
    if list != found { try list.write(in: directory.path, disk) }
  }

  /// Creates the folder if there is none, and refuses one with other contents before a file is put into it.
  private static func prepareFolder(_ path: String, _ disk: any Disk) throws(LogError) {
    if try disk.list(path) != nil {
      _ = try LogDirectory(path, disk: disk)
      return
    }
    try disk.createFolder(path)
  }

  static func parent(of path: String) -> String {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  private static func create(
    _ path: String, _ options: LogOptions, _ disk: any Disk, _ lock: any DiskLock
  ) throws(LogError) -> LogWriterState {
    // Also if the folder existed: its creator may have failed before its name was durable.
    try disk.syncFolder(parent(of: path))
    var salts = SaltSource(seed: options.seed)
    let header = SegmentHeader(
      basePosition: 0, log: LogID(using: &salts), salt: UInt32(truncatingIfNeeded: salts.next()),
      profile: options.profile)
    return LogWriterState(
      path: path, options: options, disk: disk, lock: lock, salts: salts,
      names: NameRegister(units: UnitRegister(path: path)),
      head: LogHeadWriter(
        folder: path, log: header.log,
        segment: path + "/" + SegmentHeader.fileName(basePosition: 0), disk: disk), segment: header,
      file: try create(header, in: path, disk: disk), offset: UInt64(SegmentHeader.byteCount),
      durableOffset: UInt64(SegmentHeader.byteCount),
      durableFrameEnd: UInt64(SegmentHeader.byteCount),
      previous: header.crc, latest: .min, writtenPosition: 0, durablePosition: 0)
  }

  private static func resume(
    _ path: String, _ options: LogOptions, _ disk: any Disk, _ lock: any DiskLock,
    _ directory: LogDirectory, _ scan: LogScan
  ) throws(LogError) -> LogWriterState {
    let last = directory.segments[directory.segments.count - 1]
    let file = try disk.open(last.path, writable: true)
    let end = scan.ends[scan.ends.count - 1]
    try makeDurable(
      file, last.header, from: provenOffset(scan, directory), to: end.offset, in: path, disk)
    let latest = scan.frames.filter { $0.rows > 0 }.map(\.header.latest).max() ?? .min
    // A seeded writer that continues a log draws other salts than the one before it drew.
    var salts = SaltSource(seed: options.seed.map { $0 ^ end.position &* 0x9E37_79B9_7F4A_7C15 })
    _ = salts.next()
    var state = LogWriterState(
      path: path, options: options, disk: disk, lock: lock, salts: salts,
      names: NameRegister(units: UnitRegister(path: path)),
      head: LogHeadWriter(folder: path, log: last.header.log, segment: last.path, disk: disk),
      segment: last.header,
      file: file, offset: end.offset, durableOffset: end.offset,
      durableFrameEnd: scan.frames.last?.rows == 0
        ? end.offset : UInt64(SegmentHeader.byteCount),
      previous: scan.previous, latest: latest,
      writtenPosition: end.position, durablePosition: end.position)
    state.frameCount = scan.frames.count { $0.segment == directory.segments.count - 1 }
    state.head.note(durable: end.position)
    try state.takeNames(LogReader(directory, scan, disk: disk))
    return state
  }

  private mutating func takeNames(_ reader: LogReader) throws(LogError) {
    for frame in reader.frames {
      try producers.take(frame, of: reader)
      for entry in frame.entries {
        guard let vocabulary = entry.column.vocabulary, let firstCode = UInt32(exactly: entry.low)
        else { continue }
        let chunk = try reader.names(entry, of: frame)
        do {
          try names.take(chunk, in: vocabulary, firstCode: firstCode)
        } catch let error as LogError {
          throw error
        } catch {
          throw reader.damage((error as? ColumnError)?.reason ?? "\(error)", entry, frame)
        }
      }
    }
  }

  /// Returns the end of the frames of the last segment that a later frame or HEAD proves durable.
  ///
  /// They prove that events are, and therefore the frames up to these events. A frame without events behind them may
  /// never have reached the disk.
  private static func provenOffset(_ scan: LogScan, _ directory: LogDirectory) -> UInt64 {
    let own = scan.frames.filter { $0.segment == directory.segments.count - 1 }
    let durable = max(directory.durable, own.map(\.header.durable).max() ?? 0)
    return own.last { $0.rows > 0 && $0.endPosition <= durable }?.endOffset
      ?? UInt64(SegmentHeader.byteCount)
  }

  /// Makes what was found durable, because from now on it counts as that: the previous writer may have been killed
  /// between writing and syncing, or have failed to sync the file or its name.
  ///
  /// Bytes that no later frame proves durable are written again, the same bytes in the same place: after a failed sync
  /// it may be in memory only, and syncing again would not write it.
  private static func makeDurable(
    _ file: any DiskFile, _ header: SegmentHeader, from start: UInt64, to end: UInt64,
    in folder: String, _ disk: any Disk
  ) throws(LogError) {
    if start == UInt64(SegmentHeader.byteCount) { try file.write(header.bytes, at: 0) }
    var offset = start
    while offset < end {
      let part = try file.read(at: offset, count: Int(min(end - offset, 1 << 20)))
      guard !part.isEmpty else { break }
      try file.write(part, at: offset)
      offset += UInt64(part.count)
    }
    try file.sync()
    try disk.syncFolder(folder)
    try disk.syncFolder(parent(of: folder))
  }

  // MARK: Recovery

  /// Checks the chunks of all frames of the last segment, because events are appended after them. The scan has put
  /// those that were never durable into the tail; the rest was durable, so damage to it is not caused by a crash.
  private static func checkLastSegment(
    _ scan: inout LogScan, _ directory: LogDirectory
  ) throws(LogError) {
    let index = directory.segments.count - 1
    for (number, frame) in scan.frames.enumerated() where frame.segment == index {
      let segment = directory.segments[index]
      guard try !FrameCheck(file: segment.file, frame: frame).isWhole() else { continue }
      let scanner = try FrameScanner(file: segment.file, header: segment.header, segment: index)
      let durable = max(
        directory.durable, try scanner.durablePosition(behind: frame.endOffset))
      guard durable > frame.basePosition else { return scan.cut(at: number, directory) }
      throw LogError(
        .damaged,
        "the events \(frame.basePosition) to \(frame.lastPosition) were durable and are "
          + "damaged; nothing can be appended after them: restore the file from a backup",
        path: segment.path, offset: frame.offset)
    }
  }

  /// Copies the tail into the quarantine, durably, then truncates it.
  private static func setAside(
    _ tail: LogReader.Tail, in folder: String, _ disk: any Disk
  ) throws(LogError) -> RecoveredTail {
    let file = try disk.open(tail.path, writable: true)
    let quarantined = try Quarantine.copy(
      file, from: tail.offset, byteCount: tail.byteCount, in: folder, disk)
    try file.truncate(to: tail.offset)
    try file.sync()
    return RecoveredTail(
      path: tail.path, offset: tail.offset, byteCount: tail.byteCount, quarantined: quarantined)
  }

  private static func setAsideUnborn(
    _ path: String, in folder: String, _ disk: any Disk
  ) throws(LogError) -> RecoveredTail {
    let file = try disk.open(path, writable: false)
    let size = try file.size()
    let quarantined = try Quarantine.copy(file, in: folder, disk)
    try disk.remove(path)
    try disk.syncFolder(folder)
    return RecoveredTail(path: path, offset: 0, byteCount: size, quarantined: quarantined)
  }
}
