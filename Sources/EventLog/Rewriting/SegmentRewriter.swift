/// Writes a segment anew: the same positions and codes, in frames as full as may be. The new file takes the
/// name of the old one in one step, so a crash leaves either the one or the other.
struct SegmentRewriter {
  /// What changes.
  struct Plan {
    var profile: CompressionProfile
    /// The names of shapes, lists and attributes.
    var names: LogNames
    /// The names that stay; all of them when nil.
    var used: UsedNames?
    /// The rows of a frame whose event goes, as in ``FrameTransfer``.
    var absent: (FrameReader) throws(LogError) -> [UInt8]? = { _ throws(LogError) in nil }
    var frameRowCount = FrameHeader.maximumRows
  }

  /// What the names of files end with that are being written; they count only once they are renamed.
  static let suffix = ".new"

  private let log: LogReader
  private let index: Int
  private let plan: Plan
  private let disk: any Disk
  private let header: SegmentHeader
  private let file: any DiskFile

  private var position: UInt64
  private var offset = UInt64(SegmentHeader.byteCount)
  private var previous: UInt32
  private var latest: Int64
  private var producers: [UInt64: UInt64] = [:]
  private var notes = TextList()

  /// Begins the file.
  ///
  /// - Parameter index: Which segment of the log.
  /// - Throws: ``LogError`` when the file cannot be made.
  init(_ log: LogReader, segment index: Int, plan: Plan, disk: any Disk) throws(LogError) {
    self.log = log
    self.index = index
    self.plan = plan
    self.disk = disk
    let old = log.segments[index]
    header = SegmentHeader(
      basePosition: old.header.basePosition, log: old.header.log, salt: Self.salt(after: old.header)
    )
    file = try disk.create(old.path + Self.suffix)
    position = header.basePosition
    previous = header.crc
    latest =
      log.frames.filter { $0.segment < index && $0.hasTimes }.map(\.header.latest).max() ?? .min
  }

  /// Another salt than that of the file it replaces, so that bytes of the one never pass for the other's; the
  /// same for the same file, so that the same log gives the same bytes.
  private static func salt(after header: SegmentHeader) -> UInt32 {
    let salt = UInt32(truncatingIfNeeded: StableHash.of(header.bytes[...]))
    return salt == header.salt ? salt &+ 1 : salt
  }

  private var frames: [FrameInfo] { log.frames.filter { $0.segment == index } }

  /// Writes the file, checks it against the one it replaces, and gives it the name of that.
  ///
  /// - Parameters:
  ///   - note: What is written down as done to the log, if anything.
  ///   - progress: Called after each frame with how many rows were taken from it.
  /// - Returns: How many bytes the file has.
  /// - Throws: ``LogError`` when something cannot be read or written; the old file is then as it was.
  mutating func run(
    note: String? = nil, progress: (Int) throws -> Void
  ) throws -> UInt64 {
    do {
      try file.write(header.bytes, at: 0)
      var merged = MergedFrame()
      for frame in frames {
        if merged.isFull(for: frame.rows, frameRowCount: plan.frameRowCount) {
          try write(&merged)
        }
        try take(frame, into: &merged)
        try progress(frame.rows)
      }
      try write(&merged)
      if let note { notes.append(note.utf8) }
      try writeRemarks()
      try check()
      try file.sync()
    } catch {
      try? disk.remove(file.path)
      throw error
    }
    try disk.rename(file.path, to: log.segments[index].path)
    return offset
  }

  // MARK: Frames

  private mutating func take(
    _ frame: FrameInfo, into merged: inout MergedFrame
  ) throws(LogError) {
    let reader = FrameReader(log: log, frame: frame)
    try merged.append(
      reader, absent: try plan.absent(reader), shapes: plan.names, used: plan.used)
    // What stands in headers and in frames without rows would go with them.
    if frame.header.producer != 0 {
      note(producer: frame.header.producer, frame.header.sequence)
    }
    for pair in try reader.producers() { note(producer: pair.producer, pair.sequence) }
    let texts = try reader.notes()
    for index in 0..<texts.count { notes.append(texts[index]) }
  }

  private mutating func note(producer: UInt64, _ sequence: UInt64) {
    producers[producer] = max(producers[producer] ?? 0, sequence)
  }

  private mutating func write(_ merged: inout MergedFrame) throws(LogError) {
    guard !merged.isEmpty else { return }
    merged.finish()
    try write(merged.columns, merged.names)
    latest = max(latest, merged.columns.latest)
    position += UInt64(merged.columns.count)
    merged = MergedFrame()
  }

  /// An empty frame at the end says that everything before it is durable, as at the end of every log, and
  /// keeps what would go with the frames.
  private mutating func writeRemarks() throws(LogError) {
    let pairs = producers.sorted { $0.key < $1.key }.map { (producer: $0.key, sequence: $0.value) }
    try write(FrameColumns(), [], FrameWriter.Remarks(producers: pairs, notes: notes))
  }

  private mutating func write(
    _ columns: FrameColumns, _ names: [FrameWriter.Names],
    _ remarks: FrameWriter.Remarks = FrameWriter.Remarks()
  ) throws(LogError) {
    // Whatever is rewritten was durable.
    let place = FrameWriter.Place(
      basePosition: position, durable: position, salt: header.salt, previous: previous,
      latestBefore: latest)
    let (bytes, check) = FrameWriter.frame(
      of: columns, names: names, remarks: remarks, place: place, profile: plan.profile)
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.count)
    previous = check
  }

  // MARK: Checking

  /// Reads the file back: what it replaces is given up only for what was seen to be the same.
  private func check() throws(LogError) {
    let new = try LogReader(log, replacing: index, with: file, header)
    var sources = frames[...]
    for frame in new.frames where frame.segment == index {
      var expected = MergedFrame()
      while let source = sources.first, source.endPosition <= frame.endPosition {
        let reader = FrameReader(log: log, frame: source)
        try expected.append(
          reader, absent: try plan.absent(reader), shapes: plan.names, used: plan.used)
        sources.removeFirst()
      }
      var found = MergedFrame()
      try found.append(FrameReader(log: new, frame: frame), shapes: plan.names)
      expected.finish()
      found.finish()
      guard found.isSame(as: expected) else { throw differs(frame) }
    }
    guard sources.isEmpty, new.segments[index].endPosition == log.segments[index].endPosition else {
      throw LogError(
        .damaged, "the new file does not go up to where the old one does; nothing was changed",
        path: file.path)
    }
  }

  private func differs(_ frame: FrameInfo) -> LogError {
    LogError(
      .damaged,
      "the events \(frame.basePosition) to \(frame.lastPosition) were written otherwise than they were "
        + "read; nothing was changed: check the device", path: file.path, offset: frame.offset)
  }
}
