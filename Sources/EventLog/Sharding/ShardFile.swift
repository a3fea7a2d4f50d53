/// The files of a log that is written at once, from its first event to its last: see ``LogFilling``.
///
/// Any number of them can be written together: a file is open only while it is written, unless there are few.
struct ShardFile {
  /// The folder of the log.
  let path: String
  /// The position after the last event that was written.
  private(set) var position: UInt64 = 0

  private let disk: any Disk
  private let options: LogOptions
  private let staysOpen: Bool
  private let deflater: Deflater
  /// Held as long as the log is written; nil if there are too many logs to hold the locks of all.
  private let lock: (any DiskLock)?
  private var salts: SaltSource
  private var header: SegmentHeader
  private var file: (any DiskFile)?
  private var offset: UInt64 = 0
  private var previous: UInt32
  private var latest = Int64.min
  private var durablePosition: UInt64 = 0
  private var frameCount = 0

  /// The number of files, folders and locks that are held open.
  private static let openLimit = 256

  /// Begins a log, which is marked as unfinished; the caller makes the name of the folder durable.
  ///
  /// - Parameters:
  ///   - path: The folder, which is created if needed.
  ///   - options: The seed, the holder and the sizes.
  ///   - index: The number of the log among those that are written together, from 0.
  ///   - count: The number of those.
  ///   - deflater: Compresses the frames of all of them.
  ///   - disk: The disk to write to.
  /// - Throws: ``LogError`` if a file cannot be created, or another writer holds the log.
  init(
    _ path: String, options: LogOptions, index: Int, of count: Int, _ deflater: Deflater,
    disk: any Disk
  ) throws(LogError) {
    try disk.createFolder(path)
    if index < Self.openLimit {
      let held = try disk.holding(path)
      let lock = try held.lock(LogDirectory.lockPath(path), holder: options.holder)
      self.lock = lock
      self.disk = LockedDisk(disk: held, lock: lock)
    } else {
      self.lock = nil
      self.disk = disk
    }
    (self.path, self.options) = (path, options)
    try LogFilling.mark(path, self.disk)
    self.deflater = deflater
    staysOpen = count <= Self.openLimit
    salts = SaltSource(seed: options.seed)
    header = SegmentHeader(
      basePosition: 0, log: LogID(using: &salts), salt: UInt32(truncatingIfNeeded: salts.next()),
      profile: options.profile)
    previous = header.crc
    try createSegment()
    try self.disk.syncFolder(path)
  }

  private var segmentPath: String {
    path + "/" + SegmentHeader.fileName(basePosition: header.basePosition)
  }

  private mutating func createSegment() throws(LogError) {
    let file = try disk.create(segmentPath, like: [path])
    try file.write(header.bytes, at: 0)
    offset = UInt64(SegmentHeader.byteCount)
    if staysOpen { self.file = file }
  }

  /// Writes a frame of events, with the names that it adds.
  ///
  /// - Throws: ``LogError`` if it cannot be written.
  mutating func write(_ columns: FrameColumns, _ names: [FrameWriter.Names]) throws(LogError) {
    if offset >= options.segmentByteCount { try beginSegment() }
    try append(columns, names)
    frameCount += 1
    latest = max(latest, columns.latest)
    position += UInt64(columns.count)
  }

  private mutating func append(
    _ columns: FrameColumns, _ names: [FrameWriter.Names]
  ) throws(LogError) {
    let place = FrameWriter.Place(
      basePosition: position, durable: durablePosition, salt: header.salt, previous: previous,
      latestBefore: latest)
    let (bytes, check) = FrameWriter.frame(
      of: columns, names: names, place: place, profile: options.profile, deflater: deflater)
    let file = try opened()
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.count)
    previous = check
  }

  private func opened() throws(LogError) -> any DiskFile {
    if let file { return file }
    return try disk.open(segmentPath, writable: true)
  }

  private mutating func beginSegment() throws(LogError) {
    try opened().sync()
    durablePosition = position
    header = SegmentHeader(
      basePosition: position, log: header.log, salt: UInt32(truncatingIfNeeded: salts.next()),
      profile: options.profile)
    previous = header.crc
    try createSegment()
    try disk.syncFolder(path)
  }

  // MARK: Finishing

  /// Makes all events durable. The log stays marked as unfinished.
  ///
  /// - Throws: ``LogError`` if a file cannot be written.
  mutating func complete() throws(LogError) {
    // The end of every log says that what is before it is durable; until the log is finished, nobody reads it.
    if position > 0 {
      durablePosition = position
      try append(FrameColumns(), [])
    }
    try opened().sync()
    file = nil
    try compact()
  }

  /// The number of frames from which they are merged, if most of them are small.
  private static let smallFrameCount = 16
  private static let smallFrameRows: UInt64 = 4_096

  /// Merges the frames of the log if they are many and small.
  private func compact() throws(LogError) {
    guard frameCount >= Self.smallFrameCount,
      position / UInt64(frameCount) < Self.smallFrameRows
    else { return }
    let log = try LogReader(path, disk: disk)
    let plan = SegmentRewriter.Plan(names: LogNames(path: path, []), listing: .ifKnown)
    for index in log.segments.indices {
      var rewriter = try SegmentRewriter(
        log, SegmentSource(log, segment: index), plan: plan, disk: disk)
      do {
        _ = try rewriter.run { _ in }
      } catch {
        throw error as? LogError ?? LogError(.inputOutput, "\(error)", path: path)
      }
    }
  }

  /// Marks the log as finished: the marker becomes the file that says how far the log is durable.
  ///
  /// - Throws: ``LogError`` if that fails.
  func finish() throws(LogError) {
    let marker = path + "/" + LogFilling.name
    if position > 0 {
      let head = LogHead(log: header.log, durable: position, sequence: 1)
      try disk.open(marker, writable: true).write(head.bytes, at: 0)
      try disk.rename(marker, to: path + "/" + LogHead.names[0])
    } else {
      try disk.remove(marker)
    }
    try disk.syncFolder(path)
  }
}
