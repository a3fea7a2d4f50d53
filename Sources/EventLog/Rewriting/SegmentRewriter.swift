/// Writes a segment anew: the same positions and codes, in frames as full as may be. The new file takes the
/// name of the old one in one step, so a crash leaves either the one or the other.
struct SegmentRewriter {
  /// What changes.
  struct Plan {
    /// When columns are compressed with DEFLATE; as they were when nil.
    var profile: CompressionProfile? = nil
    /// The names of shapes, lists and attributes.
    var names: LogNames
    /// The names that stay; all of them when nil.
    var used: UsedNames?
    /// The rows of a frame whose event goes, as in ``FrameTransfer``.
    var absent: (FrameReader) throws(LogError) -> [UInt8]? = { _ throws(LogError) in nil }
    /// Whether events are erased, so that no earlier version of the segment may come back.
    var isErasing = false
    /// How ``SegmentList`` is told of the segment.
    var listing = Listing.always
    var frameRowCount = FrameHeader.maximumRows
    var frameByteCount = 16 << 20
  }

  /// How ``SegmentList`` is told that a segment is written anew.
  enum Listing {
    /// Before and after the file is replaced.
    case always
    /// The same, but only of a segment that stands in it already.
    case ifKnown
    /// Whoever has it written anew does that, for several at once.
    case elsewhere
  }

  /// What the names of files end with that are being written; they count only once they are renamed.
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

  /// Begins the file.
  ///
  /// - Parameters:
  ///   - log: The log, which must have an id.
  ///   - source: What the file is made of.
  ///   - plan: What changes.
  ///   - disk: Where the file is made.
  /// - Throws: ``LogError`` when the file cannot be made.
  init(
    _ log: LogReader, _ source: SegmentSource, plan: Plan, disk: any Disk
  ) throws(LogError) {
    guard let id = log.id else {
      throw LogError(.damaged, "no segment says which log it is of", path: log.path)
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

  /// The header of the file that is to be.
  static func header(of source: SegmentSource, in log: LogID, _ plan: Plan) -> SegmentHeader {
    SegmentHeader(
      basePosition: source.basePosition, log: log, salt: source.salt(in: log),
      profile: plan.profile ?? source.replaces?.profile ?? .balanced)
  }

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
    let bytes = try write(note: note, progress: progress)
    try replace()
    return bytes
  }

  /// Writes the file and checks it against the one it is to replace, which stays.
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

  /// The segment that was written, under the name that it has until it replaces another.
  var written: LogDirectory.Segment {
    // As it is read back from the file: with the checksum that stands there.
    LogDirectory.Segment(
      path: file.path, file: file, header: (try? SegmentHeader(header.bytes)) ?? header)
  }

  /// Gives the file that was written the name of the one that it replaces, and says in ``SegmentList`` that it is
  /// the right one from now on.
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

  /// Removes the file that was written, which is not to replace any.
  func discard() { try? disk.remove(file.path) }

  /// Removes what a crash left half written.
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
    var absent: [UInt8]?
    if let frame = piece.frame, !piece.isLost {
      absent = try plan.absent(FrameReader(log: log, frame: frame))
    }
    try merged.append(piece, of: log, absent: absent, shapes: plan.names, used: plan.used)
  }

  /// Keeps what stands in headers and in frames without rows, and would go with them.
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
      of: columns, names: names, remarks: remarks, place: place,
      profile: header.profile ?? .balanced)
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.count)
    previous = check
  }

  // MARK: Checking

  /// Reads the file back: what it replaces is given up only for what was seen to be the same.
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
