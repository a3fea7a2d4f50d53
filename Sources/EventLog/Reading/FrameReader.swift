/// Reads the columns of one frame on demand.
struct FrameReader {
  let log: LogReader
  let frame: FrameInfo

  // MARK: Integers

  /// Returns the integers of a column with a value for each row; all 0 if the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ column: ColumnID, as type: Value.Type
  ) throws(LogError) -> [Value] {
    var buffers = ReadBuffers()
    var values: [Value] = []
    try integers(column, into: &values, &buffers)
    return values
  }

  /// Reads the integers of a column into an array whose memory is reused.
  func integers<Value: FixedWidthInteger>(
    _ column: ColumnID, into values: inout [Value], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    guard let entry = frame.entry(column) else {
      values.refill(0, count: frame.rows)
      return
    }
    try integers(entry, count: frame.rows, into: &values, &buffers)
  }

  /// Returns the dense integers of an attribute; empty if the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ entry: ColumnEntry, count: Int, as type: Value.Type
  ) throws(LogError) -> [Value] {
    var buffers = ReadBuffers()
    var values: [Value] = []
    try integers(entry, count: count, into: &values, &buffers)
    return values
  }

  /// Reads the dense integers of an attribute into an array whose memory is reused.
  func integers<Value: FixedWidthInteger>(
    _ entry: ColumnEntry, count: Int, into values: inout [Value], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try read(entry, &buffers.chunk) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      // The directory's bounds were computed from the values, so they bound what the type must hold.
      guard Value(exactly: entry.low) != nil, Value(exactly: entry.high) != nil else {
        throw ColumnError("values \(entry.low) to \(entry.high) are too large")
      }
      try IntegerStream.read(raw, count: count, into: &values)
    }
  }

  /// Returns the codes of names, each of which is defined in the log, so that they are valid indices.
  func codes(_ column: ColumnID, in vocabulary: Vocabulary) throws(LogError) -> [UInt32] {
    var buffers = ReadBuffers()
    var codes: [UInt32] = []
    try self.codes(column, in: vocabulary, into: &codes, &buffers)
    return codes
  }

  /// Reads the codes of names into an array whose memory is reused.
  func codes(
    _ column: ColumnID, in vocabulary: Vocabulary, into codes: inout [UInt32],
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try integers(column, into: &codes, &buffers)
    guard let entry = frame.entry(column) else { return }
    try requireNames(codes, in: vocabulary, entry)
  }

  /// Returns dense codes of names, each of which is defined in the log.
  func codes(
    _ entry: ColumnEntry, count: Int, in vocabulary: Vocabulary
  ) throws(LogError) -> [UInt32] {
    var buffers = ReadBuffers()
    var codes: [UInt32] = []
    try self.codes(entry, count: count, in: vocabulary, into: &codes, &buffers)
    return codes
  }

  /// Reads dense codes of names into an array whose memory is reused.
  func codes(
    _ entry: ColumnEntry, count: Int, in vocabulary: Vocabulary, into codes: inout [UInt32],
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try integers(entry, count: count, into: &codes, &buffers)
    try requireNames(codes, in: vocabulary, entry)
  }

  private func requireNames(
    _ codes: [UInt32], in vocabulary: Vocabulary, _ entry: ColumnEntry
  ) throws(LogError) {
    guard ColumnKernels.areBelow(log.codeLimit(vocabulary), codes) else {
      throw log.damage("code \(codes.max() ?? 0) has no name", entry, frame)
    }
  }

  // MARK: Numbers

  /// Returns the numbers of a column that are optional per row.
  func numbers(_ column: ColumnID) throws(LogError) -> NumberColumn {
    var buffers = ReadBuffers()
    var numbers = NumberColumn()
    try self.numbers(column, into: &numbers, &buffers)
    return numbers
  }

  /// Reads the numbers of a column into a column whose memory is reused.
  func numbers(
    _ column: ColumnID, into numbers: inout NumberColumn, _ buffers: inout ReadBuffers
  ) throws(LogError) {
    guard let entry = frame.entry(column) else {
      numbers.loadNone(rows: frame.rows)
      return
    }
    try read(entry, &buffers.chunk) { raw throws(ColumnError) in
      try numbers.load(raw, rows: frame.rows, hasGaps: entry.hasGaps, &buffers.numbers)
    }
  }

  /// Returns dense numbers.
  func denseNumbers(_ entry: ColumnEntry, count: Int) throws(LogError) -> [Double] {
    var buffers = ReadBuffers()
    var numbers: [Double] = []
    try denseNumbers(entry, count: count, into: &numbers, &buffers)
    return numbers
  }

  /// Reads dense numbers into an array whose memory is reused.
  func denseNumbers(
    _ entry: ColumnEntry, count: Int, into numbers: inout [Double], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try read(entry, &buffers.chunk) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      try NumberStream.read(raw, count: count, into: &numbers, &buffers.numbers)
    }
  }

  // MARK: Texts

  /// Returns the texts of a column that are optional per row; nil if the frame does not have it.
  func texts(_ column: ColumnID) throws(LogError) -> (present: Bitmap, texts: TextList)? {
    guard let entry = frame.entry(column) else { return nil }
    return try read(entry) { raw throws(ColumnError) in
      let (present, stream) = try split(raw, entry)
      return (present, try TextStream.read(stream, count: present.setCount))
    }
  }

  /// Returns dense texts.
  func denseTexts(_ entry: ColumnEntry, count: Int) throws(LogError) -> TextList {
    try read(entry) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      return try TextStream.read(raw, count: count)
    }
  }

  /// Splits the bitmap of the rows that have a value from the stream of their values.
  private func split(
    _ raw: ArraySlice<UInt8>, _ entry: ColumnEntry
  ) throws(ColumnError) -> (present: Bitmap, stream: ArraySlice<UInt8>) {
    guard entry.hasGaps else { return (Bitmap(count: frame.rows, allSet: true), raw) }
    var reader = LittleEndianReader(raw)
    let present = try Bitmap.read(&reader, count: frame.rows)
    return (present, try reader.take(reader.remaining))
  }

  private static func requireCount(_ entry: ColumnEntry, _ count: Int) throws(ColumnError) {
    guard Int(entry.values) == count else {
      throw ColumnError("\(entry.values) values where \(count) belong")
    }
  }

  // MARK: Chunks

  /// Reads a chunk, adding its location to any error.
  private func read<Result>(
    _ entry: ColumnEntry, _ decode: (ArraySlice<UInt8>) throws(ColumnError) -> Result
  ) throws(LogError) -> Result {
    var buffers = ChunkBuffers()
    return try read(entry, &buffers, decode)
  }

  private func read<Result>(
    _ entry: ColumnEntry, _ buffers: inout ChunkBuffers,
    _ decode: (ArraySlice<UInt8>) throws(ColumnError) -> Result
  ) throws(LogError) -> Result {
    let raw = try log.chunk(entry, of: frame, &buffers)
    do throws(ColumnError) {
      return try decode(raw)
    } catch {
      throw log.damage(error.reason, entry, frame)
    }
  }
}

/// Buffers that are reused from column to column and from frame to frame.
struct ReadBuffers {
  var chunk = ChunkBuffers()
  var numbers = NumberStream.Scratch()
}

/// The bytes of one chunk, stored and decompressed. Either may be longer than the chunk.
struct ChunkBuffers {
  var stored: [UInt8] = []
  var inflated: [UInt8] = []
}
