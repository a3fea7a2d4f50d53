internal import Events

/// Splits a log by copying columns: names get the codes of their shard, and no event is put together.
struct ColumnSplit {
  /// The shards of units, besides their indices.
  private enum Place {
    /// Events that concern everyone.
    static let everyone = UInt16.max
    /// Events that are not copied: their kind is unknown, or their shard is complete.
    static let none = UInt16.max - 1
    /// Codes without a name.
    static let unnamed = UInt16.max - 2
  }

  private let log: LogReader
  private let names: LogNames
  private let shardCount: Int
  private let memoryLimit: Int
  private var files: [ShardFile?]
  private var shards: [ShardColumns]
  /// By code in the log, the shard of a unit.
  private var unitShards: [UInt16]
  /// By code in the log, the code of a unit in its shard.
  private var unitCodes: [UInt32]
  /// The rows of a chunk by shard, and the start of each shard's rows.
  private var rows: [UInt32] = []
  private var starts: [Int] = []

  /// The length of a list or shape from which its codes may take more bytes in a shard than the format allows, and the
  /// log is split by records instead.
  private static let longestText = 800

  /// Prepares a split of a log; nil if it must be split by records, because it has very long lists or objects.
  ///
  /// - Throws: ``LogError`` if the names of the log cannot be read.
  init?(_ log: LogReader, _ files: [ShardFile?], memoryLimit: Int) throws(LogError) {
    guard log.policy == .strict else { return nil }
    names = try LogNames(log, Set(Vocabulary.allCases).subtracting([.units]))
    for vocabulary in [Vocabulary.lists, .shapes] {
      for code in vocabulary.firstCode..<max(vocabulary.firstCode, names.codeLimit(vocabulary))
      where names.bytes(code, in: vocabulary)?.count ?? 0 > Self.longestText {
        return nil
      }
    }
    self.log = log
    self.files = files
    self.memoryLimit = memoryLimit
    shardCount = files.count
    shards = files.map { _ in ShardColumns() }
    let unitCount = Int(log.codeLimit(.units))
    unitShards = [UInt16](repeating: Place.unnamed, count: unitCount)
    unitCodes = [UInt32](repeating: 0, count: unitCount)
  }

  /// Copies the events.
  ///
  /// - Parameter progress: Called after each frame with the number of events processed.
  /// - Returns: The files with all events written.
  /// - Throws: ``LogError`` if a log cannot be read or written, and errors of `progress`.
  mutating func run(progress: (UInt64) throws -> Void) throws -> [ShardFile?] {
    for frame in log.frames {
      try addUnits(of: frame)
      guard frame.isKnown, frame.rows > 0 else { continue }
      try copy(frame)
      try progress(frame.endPosition)
    }
    for shard in shards.indices where shards[shard].count > 0 { try writeFrame(shard) }
    return files
  }

  /// Gives the units that a frame names their shard and their code there.
  private mutating func addUnits(of frame: FrameInfo) throws(LogError) {
    for entry in frame.entries where entry.column.vocabulary == .units {
      guard var code = Int(exactly: entry.low), code > 0 else { continue }
      for name in try log.names(entry, of: frame) {
        if let name, code < unitShards.count { add(name, code) }
        code += 1
      }
    }
  }

  private mutating func add(_ unit: ArraySlice<UInt8>, _ code: Int) {
    guard !unit.isEmpty else {
      unitShards[code] = Place.everyone
      for shard in shards.indices { _ = shards[shard].names.add(unit: unit) }
      return
    }
    let shard = UnitShard.index(of: unit, among: shardCount)
    guard files[shard] != nil else {
      unitShards[code] = Place.none
      return
    }
    unitShards[code] = UInt16(shard)
    unitCodes[code] = shards[shard].names.add(unit: unit)
  }

  // MARK: Frames

  private mutating func copy(_ frame: FrameInfo) throws(LogError) {
    let copied = try CopiedFrame(FrameReader(log: log, frame: frame), names)
    let places = try places(of: copied)
    var attributes = copied.attributes.all.map { _ in (value: 0, literal: 0) }
    // Few rows for each shard at a time, so that its frames become nearly full.
    let chunk = min(FrameHeader.maximumRows, FrameHeader.maximumRows / 8 * shardCount)
    for start in stride(from: 0, to: copied.count, by: chunk) {
      let end = min(start + chunk, copied.count)
      sort(places, start..<end)
      for shard in shards.indices {
        let rows = starts[shard + 1] - starts[shard]
        if !shards[shard].hasRoom(for: rows) { try writeFrame(shard) }
      }
      do throws(ColumnError) {
        try append(copied, places, end, &attributes)
      } catch {
        throw log.damage(error.reason, frame)
      }
      try limitMemory()
    }
  }

  /// Returns the shard of each row. Rows without an event are kept in the first, so that they count once.
  private func places(of frame: CopiedFrame) throws(LogError) -> [UInt16] {
    let known = EventKind.allCases.reduce(into: 0 as UInt64) { $0 |= 1 << UInt64($1.rawValue) }
    var places = [UInt16](repeating: Place.none, count: frame.count)
    for row in places.indices {
      let (kind, unit) = (frame.kinds[row], frame.units[row])
      if AbsentKind.contains(kind), files[0] != nil { places[row] = 0 }
      guard kind < 64, known >> UInt64(kind) & 1 != 0 else { continue }
      let place = unit == 0 ? Place.everyone : unitShards[Int(unit)]
      guard place != Place.unnamed else {
        throw log.damage("row \(row): code \(unit) of units has no name", frame.reader.frame)
      }
      places[row] = place
    }
    return places
  }

  /// Sorts the rows of a chunk by shard; those of everyone are in each.
  private mutating func sort(_ places: [UInt16], _ chunk: Range<Int>) {
    var next = [Int](repeating: 0, count: shardCount + 1)
    var everyone = 0
    for row in chunk {
      if places[row] < Place.unnamed {
        next[Int(places[row]) + 1] += 1
      } else if places[row] == Place.everyone {
        everyone += 1
      }
    }
    for shard in 0..<shardCount { next[shard + 1] += next[shard] + everyone }
    starts = next
    rows = [UInt32](repeating: 0, count: next[shardCount])
    for row in chunk {
      if places[row] < Place.unnamed {
        let shard = Int(places[row])
        rows[next[shard]] = UInt32(row)
        next[shard] += 1
      } else if places[row] == Place.everyone {
        for shard in 0..<shardCount {
          rows[next[shard]] = UInt32(row)
          next[shard] += 1
        }
      }
    }
  }

  /// Appends the sorted rows, which end before a row, to their shards.
  private mutating func append(
    _ frame: CopiedFrame, _ places: [UInt16], _ end: Int,
    _ attributes: inout [(value: Int, literal: Int)]
  ) throws(ColumnError) {
    for shard in shards.indices where files[shard] != nil {
      let own = rows[starts[shard]..<starts[shard + 1]]
      guard !own.isEmpty else { continue }
      try shards[shard].append(own, of: frame, units: unitCodes, names)
    }
    for (index, values) in frame.attributes.all.enumerated() {
      var (value, literal) = attributes[index]
      while value < values.rows.count, values.rows[value] < end {
        let place = places[Int(values.rows[value])]
        if place < Place.unnamed {
          try shards[Int(place)].append(value, of: values, literal: literal, names)
        } else if place == Place.everyone {
          for shard in shards.indices where files[shard] != nil {
            try shards[shard].append(value, of: values, literal: literal, names)
          }
        }
        let isLiteral =
          values.type == .text && values.integers[value] == Int64(Vocabulary.literalCode)
        literal += isLiteral ? 1 : 0
        value += 1
      }
      attributes[index] = (value, literal)
    }
  }

  // MARK: Writing

  /// Writes frames of the largest shards until the rows of all take at most half of the limit.
  private mutating func limitMemory() throws(LogError) {
    let sizes = shards.map(\.byteCount)
    var total = sizes.reduce(0, +)
    guard total > memoryLimit else { return }
    for shard in sizes.indices.sorted(by: { (sizes[$0], $1) > (sizes[$1], $0) }) {
      guard total > memoryLimit / 2 else { return }
      try writeFrame(shard)
      total -= sizes[shard]
    }
  }

  private mutating func writeFrame(_ shard: Int) throws(LogError) {
    shards[shard].finish()
    try files[shard]?.write(shards[shard].columns, shards[shard].names.unpublished)
    shards[shard].names.publishAll()
    shards[shard].removeAll()
  }
}
