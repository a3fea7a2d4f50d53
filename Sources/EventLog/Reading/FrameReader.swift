/// Reads the columns of one frame, each when it is asked for.
struct FrameReader {
  let log: LogReader
  let frame: FrameInfo

  /// The whole numbers of a column with a value for each row; all 0 when the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ column: ColumnID, as type: Value.Type
  ) throws(LogError) -> [Value] {
    guard let entry = frame.entry(column) else {
      return Array(repeating: 0, count: frame.rows)
    }
    return try integers(entry, count: frame.rows, as: type)
  }

  /// Dense whole numbers of an attribute; none when the frame does not have it.
  func integers<Value: FixedWidthInteger>(
    _ entry: ColumnEntry, count: Int, as type: Value.Type
  ) throws(LogError) -> [Value] {
    try read(entry) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      // The directory's bounds were written from the values, so they bound what the type must hold.
      guard Value(exactly: entry.low) != nil, Value(exactly: entry.high) != nil else {
        throw ColumnError("values \(entry.low) to \(entry.high) are too large")
      }
      return try IntegerStream.read(raw, count: count, as: type)
    }
  }

  /// The codes of names, each of which the log has: whoever indexes by them stays in bounds.
  func codes(_ column: ColumnID, in vocabulary: Vocabulary) throws(LogError) -> [UInt32] {
    let codes = try integers(column, as: UInt32.self)
    guard let entry = frame.entry(column) else { return codes }
    try requireNames(codes, in: vocabulary, entry)
    return codes
  }

  /// Dense codes of names, each of which the log has.
  func codes(
    _ entry: ColumnEntry, count: Int, in vocabulary: Vocabulary
  ) throws(LogError) -> [UInt32] {
    let codes = try integers(entry, count: count, as: UInt32.self)
    try requireNames(codes, in: vocabulary, entry)
    return codes
  }

  private func requireNames(
    _ codes: [UInt32], in vocabulary: Vocabulary, _ entry: ColumnEntry
  ) throws(LogError) {
    var largest: UInt32 = 0
    for code in codes { largest = max(largest, code) }
    guard largest < log.codeLimit(vocabulary) else {
      throw log.damage("code \(largest) has no name", entry, frame)
    }
  }

  /// The numbers of a column with gaps, for each row.
  func numbers(_ column: ColumnID) throws(LogError) -> NumberColumn {
    guard let entry = frame.entry(column) else { return NumberColumn(count: frame.rows) }
    return try read(entry) { raw throws(ColumnError) in
      let (present, stream) = try split(raw, entry)
      let dense = try NumberStream.read(stream, count: present.setCount)
      return NumberColumn(dense: dense, present: present)
    }
  }

  /// Dense numbers.
  func denseNumbers(_ entry: ColumnEntry, count: Int) throws(LogError) -> [Double] {
    try read(entry) { raw throws(ColumnError) in
      try Self.requireCount(entry, count)
      return try NumberStream.read(raw, count: count)
    }
  }

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

  /// Reads a chunk and says where it stands when it is not what it should be.
  private func read<Result>(
    _ entry: ColumnEntry, _ decode: (ArraySlice<UInt8>) throws(ColumnError) -> Result
  ) throws(LogError) -> Result {
    let raw = try log.chunk(entry, of: frame)
    do throws(ColumnError) {
      return try decode(raw[...])
    } catch {
      throw log.damage(error.reason, entry, frame)
    }
  }
}

/// The numbers of a column, for each row of a batch.
public struct NumberColumn: Sendable {
  /// A number for each row; 0 where the row has none.
  public let numbers: [Double]
  /// Which rows have a number.
  public let present: Bitmap

  /// No row has a number.
  init(count: Int) {
    numbers = Array(repeating: 0, count: count)
    present = Bitmap(count: count)
  }

  init(dense: [Double], present: Bitmap) {
    self.present = present
    guard present.setCount < present.count else {
      numbers = dense
      return
    }
    var spread = [Double](repeating: 0, count: present.count)
    var next = 0
    present.forEachSet { row in
      spread[row] = dense[next]
      next += 1
    }
    numbers = spread
  }

  /// The number of a row; nil when it has none.
  @inlinable
  public subscript(row: Int) -> Double? {
    present[row] ? numbers[row] : nil
  }
}
