/// Reads the columns of one frame, each when it is asked for.
struct FrameReader {
  let log: LogReader
  let frame: FrameInfo

  // MARK: Whole numbers

  /// The whole numbers of a column with a value for each row; all 0 when the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ column: ColumnID, as type: Value.Type
  ) throws(LogError) -> [Value] {
    var buffers = ReadBuffers()
    var values: [Value] = []
    try integers(column, into: &values, &buffers)
    return values
  }

  /// The same into an array whose memory is used again.
  func integers<Value: FixedWidthInteger>(
    _ column: ColumnID, into values: inout [Value], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    guard let entry = frame.entry(column) else {
      values.refill(0, count: frame.rows)
      return
    }
    try integers(entry, count: frame.rows, into: &values, &buffers)
  }

  /// Dense whole numbers of an attribute; none when the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ entry: ColumnEntry, count: Int, as type: Value.Type
  ) throws(LogError) -> [Value] {
    var buffers = ReadBuffers()
    var values: [Value] = []
    try integers(entry, count: count, into: &values, &buffers)
    return values
  }

  /// The same into an array whose memory is used again.
  func integers<Value: FixedWidthInteger>(
    _ entry: ColumnEntry, count: Int, into values: inout [Value], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try read(entry, &buffers.chunk) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      // The directory's bounds were written from the values, so they bound what the type must hold.
      guard Value(exactly: entry.low) != nil, Value(exactly: entry.high) != nil else {
        throw ColumnError("values \(entry.low) to \(entry.high) are too large")
      }
      try IntegerStream.read(raw, count: count, into: &values)
    }
  }

  /// The codes of names, each of which the log has: whoever indexes by them stays in bounds.
  func codes(_ column: ColumnID, in vocabulary: Vocabulary) throws(LogError) -> [UInt32] {
    var buffers = ReadBuffers()
    var codes: [UInt32] = []
    try self.codes(column, in: vocabulary, into: &codes, &buffers)
    return codes
  }

  /// The same into an array whose memory is used again.
  func codes(
    _ column: ColumnID, in vocabulary: Vocabulary, into codes: inout [UInt32],
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try integers(column, into: &codes, &buffers)
    guard let entry = frame.entry(column) else { return }
    try requireNames(codes, in: vocabulary, entry)
  }

  /// Dense codes of names, each of which the log has.
  func codes(
    _ entry: ColumnEntry, count: Int, in vocabulary: Vocabulary
  ) throws(LogError) -> [UInt32] {
    var buffers = ReadBuffers()
    var codes: [UInt32] = []
    try self.codes(entry, count: count, in: vocabulary, into: &codes, &buffers)
    return codes
  }

  /// The same into an array whose memory is used again.
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

  /// The numbers of a column with gaps, for each row.
  func numbers(_ column: ColumnID) throws(LogError) -> NumberColumn {
    var buffers = ReadBuffers()
    var numbers = NumberColumn()
    try self.numbers(column, into: &numbers, &buffers)
    return numbers
  }

  /// The same into a column whose memory is used again.
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

  /// Dense numbers.
  func denseNumbers(_ entry: ColumnEntry, count: Int) throws(LogError) -> [Double] {
    var buffers = ReadBuffers()
    var numbers: [Double] = []
    try denseNumbers(entry, count: count, into: &numbers, &buffers)
    return numbers
  }

  /// The same into an array whose memory is used again.
  func denseNumbers(
    _ entry: ColumnEntry, count: Int, into numbers: inout [Double], _ buffers: inout ReadBuffers
  ) throws(LogError) {
    try read(entry, &buffers.chunk) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      try NumberStream.read(raw, count: count, into: &numbers, &buffers.numbers)
    }
  }

  // MARK: Texts

  /// The texts of a column with gaps; nil when the frame does not have it.
  func texts(_ column: ColumnID) throws(LogError) -> (present: Bitmap, texts: TextList)? {
    guard let entry = frame.entry(column) else { return nil }
    return try read(entry) { raw throws(ColumnError) in
      let (present, stream) = try split(raw, entry)
      return (present, try TextStream.read(stream, count: present.setCount))
    }
  }

  /// Dense texts.
  func denseTexts(_ entry: ColumnEntry, count: Int) throws(LogError) -> TextList {
    try read(entry) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      return try TextStream.read(raw, count: count)
    }
  }

  /// Parts the bitmap of the rows that have a value from the stream of their values.
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

  /// Reads a chunk and says where it stands when it is not what it should be.
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

/// What reading uses again from column to column and from frame to frame.
struct ReadBuffers {
  var chunk = ChunkBuffers()
  var numbers = NumberStream.Scratch()
}

/// The bytes of one chunk, as stored and as inflated. Either may be longer than the chunk.
struct ChunkBuffers {
  var stored: [UInt8] = []
  var inflated: [UInt8] = []
}
