internal import Events

/// Writes the columns of a batch as one frame. The layout of a frame is in `Frame.swift`, that of its columns in
/// `ColumnID.swift` and in the file of each stream.
struct FrameWriter {
  /// The properties of a frame other than its events.
  struct Place {
    var basePosition: UInt64
    var durable: UInt64
    var salt: UInt32
    var previous: UInt32
    /// The latest time of any earlier event, to determine whether this frame has late ones.
    var latestBefore: Int64
    /// The producer of the batch, and its sequence number; 0 for none.
    var producer: UInt64 = 0
    var sequence: UInt64 = 0
  }

  /// Names stored in the frame.
  struct Names: Equatable {
    var vocabulary: Vocabulary
    /// The code of the first name, or of the first removed one.
    var firstCode: UInt32
    var texts: TextList
    /// The codes that have a name; nil if all have.
    var present: Bitmap?
  }

  /// The facts about the log that a frame records besides its events.
  struct Remarks {
    /// The last sequence of each producer, in ascending order of the producers.
    var producers: [(producer: UInt64, sequence: UInt64)] = []
    /// The operations on the log.
    var notes = TextList()
  }

  /// The columns of a frame, encoded and compressed, which takes nearly all of the time, and does not depend on the
  /// place of the frame.
  struct Encoded: Sendable {
    fileprivate var entries: [ColumnEntry] = []
    fileprivate var chunks: [UInt8] = []
  }

  private let profile: CompressionProfile
  private let deflater: Deflater
  private var encoded = Encoded()

  private init(profile: CompressionProfile, deflater: Deflater) {
    self.profile = profile
    self.deflater = deflater
  }

  /// Returns the bytes of the frame, and its checksum, to which the next frame is chained. A caller that writes many
  /// small frames passes the same `deflater`, whose memory is then allocated once.
  static func frame(
    of columns: FrameColumns, names: [Names], remarks: Remarks = Remarks(), place: Place,
    profile: CompressionProfile, deflater: Deflater = Deflater()
  ) -> (bytes: [UInt8], check: UInt32) {
    encode(columns, names: names, remarks: remarks, profile: profile, deflater: deflater)
      .frame(of: columns, place)
  }

  /// Encodes and compresses the columns of a frame.
  static func encode(
    _ columns: FrameColumns, names: [Names], remarks: Remarks = Remarks(),
    profile: CompressionProfile, deflater: Deflater = Deflater()
  ) -> Encoded {
    var writer = FrameWriter(profile: profile, deflater: deflater)
    writer.addNames(names)
    writer.addColumns(columns)
    writer.addAttributes(columns)
    writer.add(remarks)
    return writer.encoded
  }

  // MARK: Columns

  private mutating func addNames(_ names: [Names]) {
    for names in names {
      var raw: [UInt8] = []
      names.present?.write(to: &raw)
      let start = raw.count
      TextStream.write(names.texts, to: &raw)
      let count = names.present?.count ?? names.texts.count
      add(
        .names(names.vocabulary), raw: raw, streamStart: start, low: Int64(names.firstCode),
        high: Int64(names.firstCode) + Int64(count) - 1, values: count,
        hasGaps: names.present != nil, isText: true)
    }
  }

  private mutating func addColumns(_ columns: FrameColumns) {
    for (index, column) in columns.integers.enumerated() where !column.values.isEmpty {
      addIntegers(ColumnID(rawValue: UInt16(index)), column.values)
    }
    addTexts(.id, columns.ids, rows: columns.count)
    addTexts(.configuration, columns.configurations, rows: columns.count)
    addTexts(.unknown, columns.unknowns, rows: columns.count)
    addNumbers(.propensity, columns.propensities, rows: columns.count)
    addNumbers(.value, columns.values, rows: columns.count)
    addNumbers(.revenue, columns.revenues, rows: columns.count)
    if !columns.probabilities.isEmpty { addNumbers(.probabilities, columns.probabilities) }
    for column in columns.literals.keys.sorted() {
      guard let texts = columns.literals[column] else { continue }
      addTexts(ColumnID(rawValue: column).literals, texts)
    }
  }

  private mutating func addAttributes(_ columns: FrameColumns) {
    let used = columns.attributes.filter { !$0.isEmpty }
    for values in used.sorted() {
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

  private mutating func add(_ remarks: Remarks) {
    let pairs = remarks.producers
    if !pairs.isEmpty {
      addIntegers(.producers, pairs.map { Int64(bitPattern: $0.producer) })
      addIntegers(.sequences, pairs.map { Int64(bitPattern: $0.sequence) })
    }
    if remarks.notes.count > 0 { addTexts(.notes, remarks.notes) }
  }

  private mutating func addIntegers(_ column: ColumnID, _ values: [Int64], key: UInt32 = 0) {
    var raw: [UInt8] = []
    let range = IntegerRange(values.span)
    IntegerStream.write(values, range: range, to: &raw)
    add(
      column, key: key, raw: raw, low: range.low, high: range.high, values: values.count,
      isText: false)
  }

  private mutating func addNumbers(
    _ column: ColumnID, _ numbers: [Double], key: UInt32 = 0, gaps: Bitmap? = nil
  ) {
    var raw: [UInt8] = []
    gaps?.write(to: &raw)
    let start = raw.count
    NumberStream.write(numbers, to: &raw)
    let range = NumberOrder.range(of: numbers)
    add(
      column, key: key, raw: raw, streamStart: start, low: range.low, high: range.high,
      values: numbers.count, hasGaps: gaps != nil, isText: false)
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

  /// Returns the rows that have a value, or nil if every row has one.
  private static func gaps(_ present: [Int], of rows: Int) -> Bitmap? {
    guard present.count < rows else { return nil }
    return Bitmap(count: rows, set: present)
  }

  // MARK: Chunks

  private mutating func add(
    _ column: ColumnID, key: UInt32 = 0, raw: [UInt8], streamStart: Int = 0, low: Int64,
    high: Int64,
    values: Int, hasGaps: Bool = false, isText: Bool
  ) {
    let deflated = deflate(raw, isText: isText)
    let stored = deflated ?? raw
    encoded.entries.append(
      ColumnEntry(
        column: column, isDeflated: deflated != nil, hasGaps: hasGaps, key: key,
        offset: UInt32(encoded.chunks.count), storedLength: UInt32(stored.count),
        rawLength: UInt32(raw.count), crc: Checksum.crc32c(stored), low: low, high: high,
        encoding: raw[streamStart], width: raw[streamStart + 1], values: UInt32(values)))
    encoded.chunks.append(contentsOf: stored)
    encoded.chunks.pad(to: 8)
  }

  /// Returns the compressed bytes; nil if the profile finds the savings too small.
  private func deflate(_ raw: [UInt8], isText: Bool) -> [UInt8]? {
    let share = profile.largestShare(isText: isText)
    guard share > 0, raw.count >= 64, raw.count <= 1 << 30 else { return nil }
    if raw.count > 16_384 {
      // A sample of a sixteenth of a long column tells whether compressing all of it can pay off.
      let sample = stride(from: 0, to: raw.count - 512, by: 8_192).flatMap { raw[$0..<$0 + 512] }
      let packed = Deflate.compress(sample, level: 1)
      if Double(packed.count) > Double(sample.count) * (share + 0.15) { return nil }
    }
    let packed = deflater.compress(raw.span)
    return Double(packed.count) <= Double(raw.count) * share ? packed : nil
  }

  /// Returns the checksum of a frame's checksums.
  static func check(header: UInt32, directory: UInt32, entries: [ColumnEntry]) -> UInt32 {
    var sums: [UInt8] = []
    sums.appendLittleEndian(header)
    sums.appendLittleEndian(directory)
    for entry in entries { sums.appendLittleEndian(entry.crc) }
    return Checksum.crc32c(sums)
  }
}

extension FrameWriter.Encoded {
  /// Returns the bytes of the frame at a place, and its checksum, to which the next frame is chained.
  func frame(
    of columns: FrameColumns, _ place: FrameWriter.Place
  ) -> (bytes: [UInt8], check: UInt32) {
    let metaLength = FrameHeader.byteCount + entries.count * ColumnEntry.byteCount + 8
    let length = metaLength + chunks.count + FrameHeader.trailerByteCount
    var directory: [UInt8] = []
    for var entry in entries {
      entry.offset += UInt32(metaLength)
      entry.write(to: &directory)
    }
    let isLate = columns.integers[Int(ColumnID.time.rawValue)].values.reduce(
      into: (late: false, latest: place.latestBefore)
    ) { state, time in
      state.late = state.late || time < state.latest
      state.latest = max(state.latest, time)
    }.late
    let header = FrameHeader(
      flags: isLate ? 1 : 0, columns: UInt16(entries.count), length: UInt32(length),
      rows: UInt32(columns.count), basePosition: place.basePosition, earliest: columns.earliest,
      latest: columns.latest, producer: place.producer, sequence: place.sequence,
      kinds: columns.kinds, experiments: columns.experiments, salt: place.salt,
      durable: place.durable, previous: place.previous)
    var bytes = header.bytes
    let directoryCheck = Checksum.crc32c(directory)
    let check = FrameWriter.check(
      header: Checksum.crc32c(bytes.dropLast(4)), directory: directoryCheck, entries: entries)
    bytes.append(contentsOf: directory)
    bytes.appendLittleEndian(directoryCheck)
    bytes.appendLittleEndian(0 as UInt32)
    bytes.append(contentsOf: chunks)
    bytes.appendLittleEndian(UInt32(length))
    bytes.appendLittleEndian(check)
    bytes.appendLittleEndian(UInt32(columns.count))
    bytes.appendLittleEndian(FrameHeader.trailerMagic)
    return (bytes, check)
  }
}

/// Maps floating-point numbers to integers in the same order as `<`, with -0 before 0, so that the minimum and maximum
/// of a column can be stored in its entry.
enum NumberOrder {
  static func key(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits >= 0 ? bits : bits ^ Int64.max
  }

  /// Returns the minimum and maximum key of some numbers; both 0 if there are none.
  static func range(of numbers: [Double]) -> (low: Int64, high: Int64) {
    guard let first = numbers.first else { return (0, 0) }
    var (low, high) = (key(first), key(first))
    for number in numbers {
      low = min(low, key(number))
      high = max(high, key(number))
    }
    return (low, high)
  }
}
