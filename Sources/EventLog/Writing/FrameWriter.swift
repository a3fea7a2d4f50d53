internal import Events

/// Writes the columns of a batch as one frame. The layout of a frame is in `Frame.swift`, that of its
/// columns in `ColumnID.swift` and in the file of each stream.
struct FrameWriter {
  /// What a frame must say beside its events.
  struct Place {
    var basePosition: UInt64
    var durable: UInt64
    var salt: UInt32
    var previous: UInt32
    /// The latest time of any event before, to tell whether this frame has late ones.
    var latestBefore: Int64
    /// Whose batch it is, and its number; 0 for nobody's.
    var producer: UInt64 = 0
    var sequence: UInt64 = 0
  }

  private let profile: CompressionProfile
  private var entries: [ColumnEntry] = []
  private var chunks: [UInt8] = []

  private init(profile: CompressionProfile) {
    self.profile = profile
  }

  /// The bytes of the frame, and its checksum, to which the next frame is chained.
  static func frame(
    of batch: BatchBuilder, names: NameRegister, place: Place, profile: CompressionProfile
  ) -> (bytes: [UInt8], check: UInt32) {
    var writer = FrameWriter(profile: profile)
    writer.addNames(names)
    writer.addColumns(batch)
    writer.addAttributes(batch)
    return writer.assemble(batch, place)
  }

  // MARK: Columns

  private mutating func addNames(_ names: NameRegister) {
    for vocabulary in Vocabulary.allCases {
      guard let (firstCode, texts) = names.unpublished(vocabulary) else { continue }
      var raw: [UInt8] = []
      TextStream.write(texts, to: &raw)
      add(
        .names(vocabulary), raw: raw, low: Int64(firstCode),
        high: Int64(firstCode) + Int64(texts.count) - 1, values: texts.count, isText: true)
    }
  }

  private mutating func addColumns(_ batch: BatchBuilder) {
    for (index, column) in batch.integers.enumerated() where !column.values.isEmpty {
      addIntegers(ColumnID(rawValue: UInt16(index)), column.values)
    }
    addTexts(.id, batch.ids, rows: batch.count)
    addTexts(.configuration, batch.configurations, rows: batch.count)
    addTexts(.unknown, batch.unknowns, rows: batch.count)
    addNumbers(.propensity, batch.propensities, rows: batch.count)
    addNumbers(.value, batch.values, rows: batch.count)
    addNumbers(.revenue, batch.revenues, rows: batch.count)
    if !batch.probabilities.isEmpty { addNumbers(.probabilities, batch.probabilities) }
    for column in batch.literals.keys.sorted() {
      guard let texts = batch.literals[column] else { continue }
      addTexts(ColumnID(rawValue: column).literals, texts)
    }
  }

  private mutating func addAttributes(_ batch: BatchBuilder) {
    let used = batch.attributes.filter { !$0.isEmpty }
    let ordered = used.sorted { ($0.column.rawValue, $0.key) < ($1.column.rawValue, $1.key) }
    for values in ordered {
      if values.numbers.isEmpty {
        addIntegers(values.column, values.integers, key: values.key)
      } else {
        addNumbers(values.column, values.numbers, key: values.key)
      }
      if values.literals.count > 0 {
        addTexts(values.column.literals, values.literals, key: values.key)
      }
    }
  }

  private mutating func addIntegers(_ column: ColumnID, _ values: [Int64], key: UInt32 = 0) {
    var raw: [UInt8] = []
    IntegerStream.write(values, to: &raw)
    let low = values.min() ?? 0
    let high = values.max() ?? 0
    add(column, key: key, raw: raw, low: low, high: high, values: values.count, isText: false)
  }

  private mutating func addNumbers(
    _ column: ColumnID, _ numbers: [Double], key: UInt32 = 0, gaps: Bitmap? = nil
  ) {
    var raw: [UInt8] = []
    gaps?.write(to: &raw)
    let start = raw.count
    NumberStream.write(numbers, to: &raw)
    let ordered = numbers.lazy.map { NumberOrder.key($0) }
    add(
      column, key: key, raw: raw, streamStart: start, low: ordered.min() ?? 0,
      high: ordered.max() ?? 0, values: numbers.count, hasGaps: gaps != nil, isText: false)
  }

  private mutating func addNumbers(_ column: ColumnID, _ numbers: GappedNumbers, rows: Int) {
    guard !numbers.numbers.isEmpty else { return }
    addNumbers(column, numbers.numbers, gaps: Self.gaps(numbers.rows, of: rows))
  }

  private mutating func addTexts(
    _ column: ColumnID, _ texts: TextList, key: UInt32 = 0, gaps: Bitmap? = nil
  ) {
    var raw: [UInt8] = []
    gaps?.write(to: &raw)
    let start = raw.count
    TextStream.write(texts, to: &raw)
    add(
      column, key: key, raw: raw, streamStart: start, low: 0, high: 0, values: texts.count,
      hasGaps: gaps != nil, isText: true)
  }

  private mutating func addTexts(_ column: ColumnID, _ texts: GappedTexts, rows: Int) {
    guard texts.texts.count > 0 else { return }
    addTexts(column, texts.texts, gaps: Self.gaps(texts.rows, of: rows))
  }

  /// The rows that have a value, or nil when every row has one.
  private static func gaps(_ present: [Int], of rows: Int) -> Bitmap? {
    guard present.count < rows else { return nil }
    var isPresent = [Bool](repeating: false, count: rows)
    for row in present { isPresent[row] = true }
    return Bitmap(count: rows) { isPresent[$0] }
  }

  // MARK: Chunks

  private mutating func add(
    _ column: ColumnID, key: UInt32 = 0, raw: [UInt8], streamStart: Int = 0, low: Int64,
    high: Int64,
    values: Int, hasGaps: Bool = false, isText: Bool
  ) {
    let deflated = deflate(raw, isText: isText)
    let stored = deflated ?? raw
    entries.append(
      ColumnEntry(
        column: column, isDeflated: deflated != nil, hasGaps: hasGaps, key: key,
        offset: UInt32(chunks.count), storedLength: UInt32(stored.count),
        rawLength: UInt32(raw.count), crc: Checksum.crc32c(stored), low: low, high: high,
        encoding: raw[streamStart], width: raw[streamStart + 1], values: UInt32(values)))
    chunks.append(contentsOf: stored)
    chunks.pad(to: 8)
  }

  /// The compressed bytes; nil when the profile finds that they do not pay.
  private func deflate(_ raw: [UInt8], isText: Bool) -> [UInt8]? {
    let share = profile.largestShare(isText: isText)
    guard share > 0, raw.count >= 64, raw.count <= 1 << 30 else { return nil }
    if raw.count > 16_384 {
      // A look at a sixteenth of a long column tells whether trying all of it can pay.
      let sample = stride(from: 0, to: raw.count - 512, by: 8_192).flatMap { raw[$0..<$0 + 512] }
      let packed = Deflate.compress(sample, level: 1)
      if Double(packed.count) > Double(sample.count) * (share + 0.15) { return nil }
    }
    let packed = Deflate.compress(raw, level: 6)
    return Double(packed.count) <= Double(raw.count) * share ? packed : nil
  }

  // MARK: The frame

  private mutating func assemble(
    _ batch: BatchBuilder, _ place: Place
  ) -> (bytes: [UInt8], check: UInt32) {
    let metaLength = FrameHeader.byteCount + entries.count * ColumnEntry.byteCount + 8
    let length = metaLength + chunks.count + FrameHeader.trailerByteCount
    var directory: [UInt8] = []
    for var entry in entries {
      entry.offset += UInt32(metaLength)
      entry.write(to: &directory)
    }
    let isLate = batch.integers[Int(ColumnID.time.rawValue)].values.reduce(
      into: (late: false, latest: place.latestBefore)
    ) { state, time in
      state.late = state.late || time < state.latest
      state.latest = max(state.latest, time)
    }.late
    let header = FrameHeader(
      flags: isLate ? 1 : 0, columns: UInt16(entries.count), length: UInt32(length),
      rows: UInt32(batch.count), basePosition: place.basePosition, earliest: batch.earliest,
      latest: batch.latest, producer: place.producer, sequence: place.sequence, kinds: batch.kinds,
      experiments: batch.experiments, salt: place.salt, durable: place.durable,
      previous: place.previous)
    var bytes = header.bytes
    let directoryCheck = Checksum.crc32c(directory)
    let check = Self.check(
      header: Checksum.crc32c(bytes.dropLast(4)), directory: directoryCheck, entries: entries)
    bytes.append(contentsOf: directory)
    bytes.appendLittleEndian(directoryCheck)
    bytes.appendLittleEndian(0 as UInt32)
    bytes.append(contentsOf: chunks)
    bytes.appendLittleEndian(UInt32(length))
    bytes.appendLittleEndian(check)
    bytes.appendLittleEndian(UInt32(batch.count))
    bytes.appendLittleEndian(FrameHeader.trailerMagic)
    return (bytes, check)
  }

  /// The checksum of a frame's checksums.
  static func check(header: UInt32, directory: UInt32, entries: [ColumnEntry]) -> UInt32 {
    var sums: [UInt8] = []
    sums.appendLittleEndian(header)
    sums.appendLittleEndian(directory)
    for entry in entries { sums.appendLittleEndian(entry.crc) }
    return Checksum.crc32c(sums)
  }
}

/// Whole numbers that order floating-point numbers as `<` does, with -0 before 0, so that the smallest
/// and the largest of a column can stand in its entry.
enum NumberOrder {
  static func key(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits >= 0 ? bits : bits ^ Int64.max
  }
}
