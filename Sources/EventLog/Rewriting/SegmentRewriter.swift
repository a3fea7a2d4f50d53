/// Rewrites a segment: the same positions and codes, in frames as full as possible. The new file atomically replaces
/// the old one, so a crash leaves one or the other.
struct SegmentRewriter {
  /// The changes to make.
  struct Plan {
    /// When columns are compressed with DEFLATE; nil to keep the profile.
    var profile: CompressionProfile? = nil
    /// The names of shapes, lists and attributes.
    var names: LogNames
    /// The names that stay; nil for all.
    var used: UsedNames?
    /// Returns the rows of a frame whose event is removed, as in ``FrameTransfer``.
    var absent: (FrameReader) throws(LogError) -> [UInt8]? = { _ throws(LogError) in nil }
    /// Whether events are erased, so that no earlier version of the segment is valid any more.
    var isErasing = false
    /// How ``SegmentList`` is updated.
    var listing = Listing.always
    /// Whether the rewrite is to stop; asked before each frame.
    var isAbandoned: () -> Bool = { false }
    var frameRowCount = FrameHeader.maximumRows
    var frameByteCount = 16 << 20
  }

  /// How ``SegmentList`` is updated when a segment is rewritten.
  enum Listing {
    /// Before and after the file is replaced.
    case always
    /// Before and after, but only if the segment is in the list already.
    case ifKnown
    /// By the caller, for several segments at once.
    case elsewhere
  }

  /// The suffix of files that are being written; they are valid only once they are renamed.
  static let suffix = ".new"

  private let log: LogReader
  private let source: SegmentSource
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

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - log: The log, which must have an id.
  ///   - source: The contents of the file.
  ///   - plan: The changes to make.
  ///   - disk: The disk to write to.
  /// - Throws: ``LogError`` if the file cannot be created.
  init(
    _ log: LogReader, _ source: SegmentSource, plan: Plan, disk: any Disk
  ) throws(LogError) {
    guard let id = log.id else {
      throw LogError(.damaged, "no segment has the id of its log", path: log.path)
    }
    self.log = log
    self.source = source
    self.plan = plan
    self.disk = disk
    header = Self.header(of: source, in: id, plan)
    let models = [source.path] + log.segments.prefix(1).map(\.path) + [log.path]
    file = try disk.create(source.path + Self.suffix, like: models)
    position = header.basePosition
    previous = header.crc
    latest =
      log.frames.filter { $0.basePosition < source.basePosition && $0.hasTimes }
      .map(\.header.latest).max() ?? .min
  }

  /// Returns the header of the new file.
  static func header(of source: SegmentSource, in log: LogID, _ plan: Plan) -> SegmentHeader {
    SegmentHeader(
      basePosition: source.basePosition, log: log, salt: source.salt(in: log),
      profile: plan.profile ?? source.replaces?.profile ?? .balanced)
  }

  /// Writes the file, verifies it against the one it replaces, and renames it to that one's name.
  ///
  /// - Parameters:
  ///   - note: A note of the operation to record in the log, if any.
  ///   - progress: Called after each frame with the number of rows copied from it.
  /// - Returns: The size of the file in bytes.
  /// - Throws: ``LogError`` if something cannot be read or written, or the rewrite is abandoned; the old file is then
  ///   unchanged, and nothing is left of the new one.
  mutating func run(
    note: String? = nil, progress: (Int) throws -> Void
  ) throws -> UInt64 {
    let bytes = try write(note: note, progress: progress)
    do {
      try replace()
    } catch {
      discard()
      throw error
    }
    return bytes
  }

  /// Writes the file and verifies it against the one it is to replace, which is kept.
  mutating func write(
    note: String? = nil, progress: (Int) throws -> Void
  ) throws -> UInt64 {
    do {
      try file.write(header.bytes, at: 0)
      var merged = MergedFrame()
      for piece in source.pieces {
        if merged.isFull(
          for: piece, rowCount: plan.frameRowCount, byteCount: plan.frameByteCount)
        {
          try write(&merged)
        }
        try append(piece, to: &merged)
        try takeRemarks(of: piece)
        try progress(piece.positions.count)
      }
      try write(&merged)
      if let note { notes.append(note.utf8) }
      try writeRemarks()
      try check()
      try file.sync()
    } catch {
      discard()
      throw error
    }
    return offset
  }

  /// The new segment, under its temporary name.
  var written: LogDirectory.Segment {
    // As it is read back from the file: with the stored checksum.
    LogDirectory.Segment(
      path: file.path, file: file, header: (try? SegmentHeader(header.bytes)) ?? header)
  }

  /// Renames the new file to the name of the one that it replaces, and lists it in ``SegmentList`` as the valid one.
  func replace() throws(LogError) {
    var list = try SegmentList.current(in: log.path, of: header.log, disk)
    let isKnown = !list.entries(at: header.basePosition).isEmpty
    let isListed = plan.listing == .always || plan.listing == .ifKnown && isKnown
    if isListed {
      list.allow(header, besides: source.replaces, erasing: plan.isErasing)
      try list.write(in: log.path, disk, like: source.path)
    }
    try disk.rename(file.path, to: source.path)
    try disk.syncFolder(log.path)
    guard isListed else { return }
    list.settle(header)
    try list.write(in: log.path, disk, like: source.path)
  }

  /// Removes the new file without replacing any.
  func discard() { try? disk.remove(file.path) }

  /// Removes incomplete files that a crash left.
  static func removeUnfinished(in folder: String, _ disk: any Disk) throws(LogError) {
    let unfinished = (try disk.list(folder) ?? []).filter { name in
      guard name.hasSuffix(suffix) else { return false }
      let own = String(name.dropLast(suffix.count))
      return SegmentHeader.basePosition(fileName: own) != nil || own == SegmentList.name
    }
    for name in unfinished { try disk.remove(folder + "/" + name) }
    if !unfinished.isEmpty { try disk.syncFolder(folder) }
  }

  // MARK: Frames

  private func append(
    _ piece: SegmentSource.Piece, to merged: inout MergedFrame
  ) throws(LogError) {
    guard !plan.isAbandoned() else {
      throw LogError(
        .inputOutput, "the rewrite was abandoned; nothing was changed", path: file.path)
    }
    var absent: [UInt8]?
    if let frame = piece.frame, !piece.isLost {
      absent = try plan.absent(FrameReader(log: log, frame: frame))
    }
    try merged.append(piece, of: log, absent: absent, shapes: plan.names, used: plan.used)
  }

  /// Collects the data of headers and of frames without rows, which would be lost with them.
  private mutating func takeRemarks(of piece: SegmentSource.Piece) throws(LogError) {
    guard let frame = piece.frame else { return }
    if frame.header.producer != 0 {
      note(producer: frame.header.producer, frame.header.sequence)
    }
    let reader = FrameReader(log: log, frame: frame)
    let pairs = try log.passingOver { () throws(LogError) in try reader.producers() } ?? []
    for pair in pairs { note(producer: pair.producer, pair.sequence) }
    let texts = try log.passingOver { () throws(LogError) in try reader.notes() } ?? TextList()
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

  /// Writes an empty frame at the end, which marks everything before it as durable, as at the end of every log, and
  /// holds the collected data.
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
      of: columns, names: names, remarks: remarks, place: place,
      profile: header.profile ?? .balanced)
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.count)
    previous = check
  }

  // MARK: Checking

  /// Reads the file back: the old file is only replaced if the contents are verified to be the same.
  private func check() throws(LogError) {
    let new = try LogReader(log, with: file, header)
    var pieces = source.pieces[...]
    for frame in new.frames {
      var expected = MergedFrame()
      while let piece = pieces.first, piece.positions.upperBound <= frame.endPosition {
        try append(piece, to: &expected)
        pieces.removeFirst()
      }
      var found = MergedFrame()
      let piece = SegmentSource.Piece(
        positions: frame.basePosition..<frame.endPosition, frame: frame)
      try found.append(piece, of: new, shapes: plan.names)
      expected.finish()
      found.finish()
      guard found.isSame(as: expected) else { throw differs(frame) }
    }
    guard pieces.isEmpty, new.eventCount == source.endPosition else {
      throw LogError(
        .damaged, "the new file has fewer events than the old one; nothing was changed",
        path: file.path)
    }
  }

  private func differs(_ frame: FrameInfo) -> LogError {
    LogError(
      .damaged,
      "the events \(frame.basePosition) to \(frame.lastPosition) read back differently from what was "
        + "written; nothing was changed: check the device", path: file.path, offset: frame.offset)
  }
}
