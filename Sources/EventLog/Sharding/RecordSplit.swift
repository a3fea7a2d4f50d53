internal import Events

/// Splits a log event by event, for logs that cannot be split by columns, and for readers that skip damage.
struct RecordSplit {
  private struct Shard {
    var file: ShardFile
    var batch = BatchBuilder()
    var names: NameRegister

    /// The approximate size in memory of the rows, in bytes.
    var bytes: Int { 256 * batch.count + batch.columns.looseBytes }

    mutating func append(_ record: borrowing EventRecord) throws(LogError) {
      if batch.isFull(with: names) { try writeFrame() }
      try batch.append(record, names: &names)
    }

    mutating func writeFrame() throws(LogError) {
      guard batch.count > 0 else { return }
      batch.finish()
      try file.write(batch.columns, names.unpublished)
      names.publishAll()
      batch.removeAll()
    }

    /// Writes rows without events.
    mutating func writeAbsent(_ rows: Int, _ kind: UInt8) throws(LogError) {
      try writeFrame()
      for start in stride(from: 0, to: rows, by: FrameHeader.maximumRows) {
        var columns = FrameColumns()
        columns.appendAbsent(min(FrameHeader.maximumRows, rows - start), kind)
        try file.write(columns, [])
      }
    }
  }

  private let log: LogReader
  private let memoryLimit: Int
  private var shards: [Shard?]

  init(_ log: LogReader, _ files: [ShardFile?], memoryLimit: Int) {
    (self.log, self.memoryLimit) = (log, memoryLimit)
    shards = files.map { file in
      file.map { Shard(file: $0, names: NameRegister(units: UnitRegister(path: $0.path))) }
    }
  }

  /// Copies the events.
  ///
  /// - Parameter progress: Called every few thousand events with the number processed.
  /// - Returns: The files with all events written.
  /// - Throws: ``LogError`` if a log cannot be read or written, and errors of `progress`.
  mutating func run(progress: (UInt64) throws -> Void) throws -> [ShardFile?] {
    try log.forEachEvent { record, position in
      let unit = record.bytes[record[.unit].range]
      if unit.isEmpty {
        for shard in shards.indices { try shards[shard]?.append(record) }
      } else {
        try shards[UnitShard.index(of: unit, among: shards.count)]?.append(record)
      }
      if position % 4_096 == 0 {
        try limitMemory()
        try progress(position)
      }
    }
    for shard in shards.indices { try shards[shard]?.writeFrame() }
    try copyAbsent()
    return shards.map { $0?.file }
  }

  /// Writes the rows without events to the first shard, behind its events, so that they count once.
  private mutating func copyAbsent() throws(LogError) {
    guard shards.first != nil else { return }
    for kind in [AbsentKind.erased, AbsentKind.lost] {
      var rows = 0
      for frame in log.frames where frame.isKnown && frame.header.kinds >> UInt64(kind) & 1 != 0 {
        do {
          let kinds = try FrameReader(log: log, frame: frame).integers(.kind, as: UInt8.self)
          rows += kinds.count { $0 == kind }
        } catch  where log.policy == .skip {
          continue
        }
      }
      try shards[0]?.writeAbsent(rows, kind)
    }
  }

  private mutating func limitMemory() throws(LogError) {
    guard shards.reduce(0, { $0 + ($1?.bytes ?? 0) }) > memoryLimit else { return }
    for shard in shards.indices { try shards[shard]?.writeFrame() }
  }
}
