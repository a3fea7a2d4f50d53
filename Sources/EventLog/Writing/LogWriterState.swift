internal import Events

/// The state of a writer, accessed by one caller at a time.
struct LogWriterState {
  let path: String
  let options: LogOptions
  var disk: any Disk
  /// Nil once the writer is closed.
  var lock: (any DiskLock)?
  var salts: SaltSource
  var names: NameRegister
  var batch = BatchBuilder()
  /// The frames that are being encoded, in order, which come before the batch.
  var ahead: [FrameAhead] = []
  /// The columns of a frame that was written, whose memory is used again.
  var spare = FrameColumns()
  var head: LogHeadWriter

  /// The segment that is being written, and the offset of its next frame.
  var segment: SegmentHeader
  var file: any DiskFile
  var offset: UInt64
  /// The end of the durable frames.
  var durableOffset: UInt64
  /// The end of the frames that a later one records as durable.
  var durableFrameEnd: UInt64
  /// The checksum to which the next frame is chained.
  var previous: UInt32
  /// The number of frames of the segment.
  var frameCount = 0
  /// The latest time of any event in a frame.
  var latest: Int64
  /// The position after the last event in a frame.
  var writtenPosition: UInt64
  var durablePosition: UInt64
  /// Whether a sync failed: none may be retried.
  var hasFailedSync = false
  /// Whether the lock or the file was found deleted, moved or replaced.
  var isDisplaced = false
  /// The error because of which the writer accepts no more events.
  var failure: LogError?
  /// The shared state of concurrent commits; see `LogWriterState+Commit.swift`.
  var commits = Commits()
  /// The last sequence of each producer.
  var producers = ProducerRegister()
  /// The ids of the log's events; nil until they are needed.
  var ids: EventIDIndex?
  /// The ids of the events appended since the index began to be built; nil unless it is being built.
  var newIDs: RecentIDs?
  /// The segments that are compacted in the background.
  var ended = EndedSegments()
  /// Accumulates prefetched values, so that the compiler does not optimize the prefetch away.
  var touched = 0

  var nextPosition: UInt64 {
    ahead.reduce(writtenPosition) { $0 + UInt64($1.rowCount) } + UInt64(batch.count)
  }

  /// Appends an event; the fingerprint of its unit is passed if it is known already.
  @discardableResult
  mutating func append(
    _ record: borrowing EventRecord, unit fingerprint: Fingerprint? = nil
  ) throws(LogError) -> UInt64 {
    if let failure { throw poisoned(failure) }
    try checkSize(record)
    if batch.isFull(with: names) || batch.count >= options.frameRowCount { try endFrame() }
    try take(record, unit: fingerprint)
    return nextPosition - 1
  }

  func checkSize(_ record: borrowing EventRecord) throws(LogError) {
    if let excess = record.excess { throw LogError(.badEvent, excess, path: path) }
  }

  /// Adds an event to the batch, however full it is.
  mutating func take(
    _ record: borrowing EventRecord, unit fingerprint: Fingerprint? = nil
  ) throws(LogError) {
    do throws(LogError) {
      if ids != nil || newIDs != nil { try noteID(record) }
      try batch.append(record, unit: fingerprint, names: &names)
    } catch {
      throw fail(error)
    }
  }

  /// Makes every frame durable while no other thread accesses the state. Never called while another sync runs.
  private mutating func sync() throws(LogError) {
    producers.beginSync()
    hasFailedSync = true
    try file.sync()
    hasFailedSync = false
    try checkPlace()
    noteSynced(to: writtenPosition, offset)
  }

  /// Checks that the log is still this writer's, and at its path: before each write, and before a commit is
  /// acknowledged.
  ///
  /// - Throws: ``LogError`` if not; the writer is then unusable and touches no file any more, as another writer may
  ///   have the log.
  mutating func checkPlace() throws(LogError) {
    do throws(LogError) {
      try lock?.check()
      try file.checkPath()
    } catch {
      isDisplaced = true
      throw error
    }
  }

  /// Records the end of a sync that covers the frames up to a position.
  mutating func noteSynced(to position: UInt64, _ offset: UInt64) {
    (durablePosition, durableOffset) = (position, offset)
    producers.endSync()
    commits.hasNews = true
    head.note(durable: position)
  }

  /// The number of frames that may be encoded at the same time, and the fewest events of one that is.
  private static let framesAhead = 2
  private static let leastRowsAhead = 4_096

  /// Ends the frame of the events in memory. A large one is encoded while others are appended.
  private mutating func endFrame() throws(LogError) {
    guard batch.count >= Self.leastRowsAhead else { return try writeFrame() }
    if ahead.count == Self.framesAhead { try writeFirstAhead() }
    let names = names.unpublished
    self.names.publishAll()
    ahead.append(
      FrameAhead(
        batch.take(replacingWith: &spare), names: names, profile: options.profile))
  }

  /// Writes the first of the frames that are being encoded.
  private mutating func writeFirstAhead() throws(LogError) {
    let (columns, encoded) = ahead.removeFirst().take()
    try write(encoded, columns)
    spare = columns
  }

  /// Writes all events in memory. They are durable only after the next sync.
  ///
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  mutating func writeFrames() throws(LogError) {
    while !ahead.isEmpty { try writeFirstAhead() }
    if batch.count > 0 { try writeFrame() }
  }

  /// Writes the events in memory, the last of which are a frame of their own.
  ///
  /// - Parameters:
  ///   - producer: The producer of the batch; 0 for none.
  ///   - sequence: The batch's number.
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  mutating func writeFrame(producer: UInt64 = 0, sequence: UInt64 = 0) throws(LogError) {
    while !ahead.isEmpty { try writeFirstAhead() }
    batch.finish()
    try write(
      FrameWriter.encode(batch.columns, names: names.unpublished, profile: options.profile),
      batch.columns, producer: producer, sequence: sequence)
    names.publishAll()
    batch.removeAll()
  }

  private mutating func write(
    _ frame: FrameWriter.Encoded, _ columns: FrameColumns, producer: UInt64 = 0,
    sequence: UInt64 = 0
  ) throws(LogError) {
    do throws(LogError) {
      // While a sync runs the segment stays, and may exceed its maximum size a little; see `Commits`.
      if offset >= options.segmentByteCount, offset > UInt64(SegmentHeader.byteCount),
        !commits.isSyncing
      {
        try beginSegment()
      }
      try checkPlace()
      let place = FrameWriter.Place(
        basePosition: writtenPosition, durable: durablePosition, salt: segment.salt,
        previous: previous, latestBefore: latest, producer: producer, sequence: sequence)
      let (bytes, check) = frame.frame(of: columns, place)
      try file.write(bytes, at: offset)
      offset += UInt64(bytes.count)
      previous = check
      frameCount += 1
    } catch {
      throw fail(error)
    }
    latest = max(latest, columns.latest)
    writtenPosition += UInt64(columns.count)
  }

  /// Records after the last frame that it is durable, so that damage to it is never attributed to a crash: an empty
  /// frame, which need not be durable itself. It does not contain names that no frame has yet, because their events
  /// were not committed.
  mutating func seal() {
    guard failure == nil, offset > durableFrameEnd, durablePosition == writtenPosition,
      (try? checkPlace()) != nil
    else { return }
    let place = FrameWriter.Place(
      basePosition: writtenPosition, durable: durablePosition, salt: segment.salt,
      previous: previous, latestBefore: latest)
    let (bytes, check) = FrameWriter.frame(
      of: FrameColumns(), names: [], place: place, profile: options.profile)
    guard (try? file.write(bytes, at: offset)) != nil else {
      try? file.truncate(to: offset)
      return
    }
    offset += UInt64(bytes.count)
    (durableOffset, durableFrameEnd, previous) = (offset, offset, check)
  }

  /// Marks the log, which was begun as unfinished, as finished.
  func finishFilling() throws(LogError) {
    if options.isFilling { try LogFilling.finish(path, disk) }
  }

  /// Ends the segment, durably, and begins the next.
  private mutating func beginSegment() throws(LogError) {
    try sync()
    let ended = (header: segment, frameCount: frameCount)
    let header = SegmentHeader(
      basePosition: writtenPosition, log: segment.log,
      salt: UInt32(truncatingIfNeeded: salts.next()), profile: options.profile)
    file = try Self.create(header, in: path, like: file.path, disk: disk)
    segment = header
    offset = UInt64(SegmentHeader.byteCount)
    (durableOffset, durableFrameEnd) = (offset, offset)
    previous = header.crc
    frameCount = 0
    addEnded(ended.header, frameCount: ended.frameCount)
  }

  /// Creates a segment with its header, durable including its name.
  static func create(
    _ header: SegmentHeader, in path: String, like model: String? = nil, disk: any Disk
  ) throws(LogError) -> any DiskFile {
    let file = try disk.create(
      path + "/" + SegmentHeader.fileName(basePosition: header.basePosition),
      like: [model, path].compactMap { $0 })
    try file.write(header.bytes, at: 0)
    try file.sync()
    try disk.syncFolder(path)
    return file
  }

  /// Stops the writer: keeps the complete frames if they can be synced, and truncates the rest, none of which was
  /// acknowledged. The caller appends it again, and must not find it twice. After a failed sync it may also be in
  /// memory only, where nothing distinguishes it from what is on disk. If truncation fails too, the next writer's
  /// recovery does what it can.
  mutating func fail(_ error: LogError) -> LogError {
    guard !commits.isSyncing else {
      // What is stored is known when the running sync has ended; until then nothing is truncated.
      commits.trouble = error
      return error
    }
    keepWhatCanBeSynced()
    var lasting = error
    lasting.message +=
      "; the events before \(durablePosition) are stored, those after it are not: "
      + "fix the cause and append them again"
    failure = lasting
    // A disk that failed is given nothing more to do.
    ended.waiting = []
    commits.hasNews = true
    return lasting
  }

  /// Syncs the complete frames, and truncates what is not durable then.
  private mutating func keepWhatCanBeSynced() {
    guard !isDisplaced, (try? checkPlace()) != nil else { return producers.forgetUnsynced() }
    if !hasFailedSync, durableOffset < offset, (try? file.truncate(to: offset)) != nil {
      try? sync()
    }
    if !isDisplaced { try? file.truncate(to: durableOffset) }
    producers.forgetUnsynced()
  }

  // MARK: Closing

  /// Stops the writer for good, unless it has failed before. Never called while a sync runs.
  mutating func stop() {
    guard failure == nil else { return }
    if durableOffset < offset, durablePosition < writtenPosition { keepWhatCanBeSynced() }
    seal()
    failure = LogError(
      .poisoned,
      "the writer is closed and takes no more events; those before \(durablePosition) are stored: open the log "
        + "again to append to it", path: path)
    ended.waiting = []
    commits.hasNews = true
  }

  /// Releases the files, the temporary files, the folder and the lock, in this order. Only the positions remain.
  mutating func release() {
    batch = BatchBuilder()
    ahead = []
    names = NameRegister(units: UnitRegister(path: path))
    ids = nil
    file = ClosedFile(path: file.path)
    disk = disk.unheld
    head.disk = disk
    lock = nil
  }

  func poisoned(_ cause: LogError) -> LogError {
    // That of a writer that was closed.
    guard cause.code != .poisoned else { return cause }
    return LogError(
      .poisoned, "the writer failed before and takes no more events (\(cause.message))",
      path: cause.path, offset: cause.offset)
  }
}
