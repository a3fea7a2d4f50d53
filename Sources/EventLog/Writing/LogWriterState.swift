internal import Events

/// What a writer knows and does, for one caller at a time.
struct LogWriterState {
  let path: String
  let options: LogOptions
  let disk: any Disk
  let lock: any DiskLock
  var salts: SaltSource
  var names: NameRegister
  var batch = BatchBuilder()

  /// The segment that is written, and where its next frame goes.
  var segment: SegmentHeader
  var file: any DiskFile
  var offset: UInt64
  /// Where the frames that are durable end.
  var durableOffset: UInt64
  /// Where the frames end that a later one says are durable.
  var durableFrameEnd: UInt64
  /// The checksum to which the next frame is chained.
  var previous: UInt32
  /// The latest time of any event in a frame.
  var latest: Int64
  /// Position after the last event that is in a frame.
  var writtenPosition: UInt64
  var durablePosition: UInt64
  /// Whether a sync failed: none may be tried again.
  var hasFailedSync = false
  /// Why the writer takes no more events.
  var failure: LogError?

  var nextPosition: UInt64 { writtenPosition + UInt64(batch.count) }

  @discardableResult
  mutating func append(_ record: EventRecord) throws(LogError) -> UInt64 {
    if let failure { throw poisoned(failure) }
    if let excess = record.excess { throw LogError(.badEvent, excess, path: path) }
    if batch.isFull(with: names) || batch.count >= options.frameRowCount { try writeFrame() }
    do throws(LogError) {
      try batch.append(record, names: &names)
    } catch {
      throw fail(error)
    }
    return nextPosition - 1
  }

  mutating func commit() throws(LogError) -> UInt64 {
    if let failure { throw poisoned(failure) }
    if batch.count > 0 { try writeFrame() }
    if durablePosition < writtenPosition {
      do throws(LogError) {
        try sync()
      } catch {
        throw fail(error)
      }
    }
    return durablePosition
  }

  private mutating func sync() throws(LogError) {
    hasFailedSync = true
    try file.sync()
    hasFailedSync = false
    (durablePosition, durableOffset) = (writtenPosition, offset)
  }

  /// Writes the events in memory as a frame. They are durable only after the next sync.
  private mutating func writeFrame() throws(LogError) {
    do throws(LogError) {
      if offset >= options.segmentByteCount, offset > UInt64(SegmentHeader.byteCount) {
        try beginSegment()
      }
      batch.finishColumns()
      let place = FrameWriter.Place(
        basePosition: writtenPosition, durable: durablePosition, salt: segment.salt,
        previous: previous, latestBefore: latest)
      let (bytes, check) = FrameWriter.frame(
        of: batch, names: names, place: place, profile: options.profile)
      try file.write(bytes, at: offset)
      offset += UInt64(bytes.count)
      previous = check
    } catch {
      throw fail(error)
    }
    latest = max(latest, batch.latest)
    writtenPosition += UInt64(batch.count)
    names.publishAll()
    batch.removeAll()
  }

  /// Says behind the last frame that it is durable, so that damage to it is never taken for a crash: an
  /// empty frame, which need not be durable itself. Names that no frame has yet stay out of it: their events
  /// were not committed.
  mutating func seal() {
    guard failure == nil, offset > durableFrameEnd, durablePosition == writtenPosition else {
      return
    }
    let empty = BatchBuilder()
    let place = FrameWriter.Place(
      basePosition: writtenPosition, durable: durablePosition, salt: segment.salt,
      previous: previous, latestBefore: latest)
    let (bytes, check) = FrameWriter.frame(
      of: empty, names: NameRegister(units: UnitRegister(path: path)), place: place,
      profile: options.profile)
    guard (try? file.write(bytes, at: offset)) != nil else {
      try? file.truncate(to: offset)
      return
    }
    offset += UInt64(bytes.count)
    (durableOffset, durableFrameEnd, previous) = (offset, offset, check)
  }

  /// Ends the segment, durably, and begins the next.
  private mutating func beginSegment() throws(LogError) {
    try sync()
    let header = SegmentHeader(
      basePosition: writtenPosition, log: segment.log,
      salt: UInt32(truncatingIfNeeded: salts.next()))
    file = try Self.create(header, in: path, disk: disk)
    segment = header
    offset = UInt64(SegmentHeader.byteCount)
    (durableOffset, durableFrameEnd) = (offset, offset)
    previous = header.crc
  }

  /// Makes a segment with its header, durable with its name.
  static func create(
    _ header: SegmentHeader, in path: String, disk: any Disk
  ) throws(LogError) -> any DiskFile {
    let file = try disk.create(
      path + "/" + SegmentHeader.fileName(basePosition: header.basePosition))
    try file.write(header.bytes, at: 0)
    try file.sync()
    try disk.syncFolder(path)
    return file
  }

  /// Ends the writer's work: keeps the whole frames if they can be synced, and cuts off the rest, none of which
  /// was acknowledged. The caller appends it again, and must not find it there twice. After a failed sync it
  /// may also stand in memory only, where nothing tells it from what is on disk. Where cutting fails too, the
  /// next writer's recovery does what it can.
  private mutating func fail(_ error: LogError) -> LogError {
    if !hasFailedSync, durableOffset < offset, (try? file.truncate(to: offset)) != nil {
      try? sync()
    }
    try? file.truncate(to: durableOffset)
    var lasting = error
    lasting.message +=
      "; the events before \(durablePosition) are stored, those after it are not: "
      + "mend the cause and append them again"
    failure = lasting
    return lasting
  }

  private func poisoned(_ cause: LogError) -> LogError {
    LogError(
      .poisoned, "the writer failed before and takes no more events (\(cause.message))",
      path: cause.path, offset: cause.offset)
  }
}
