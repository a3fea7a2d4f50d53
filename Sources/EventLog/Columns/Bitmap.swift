/// A bit for each row of a frame.
///
///     bitmap = ceil(count / 64) u64; row i is bit i % 64 of word i / 64; bits past the end are zero
public struct Bitmap: Hashable, Sendable {
  /// The number of rows.
  public private(set) var count: Int
  /// The bits, 64 rows to a word, lowest bit first.
  public private(set) var words: [UInt64]
  /// The number of rows that are set.
  public private(set) var setCount: Int

  /// Creates a bitmap with every row set or none.
  public init(count: Int, allSet: Bool = false) {
    self.init(count: count) { _ in allSet }
  }

  /// Creates a bitmap with the rows set for which the closure returns true.
  public init(count: Int, where isSet: (Int) -> Bool) {
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
    setCount = 0
    for row in 0..<count where isSet(row) {
      words[row >> 6] |= 1 << UInt64(row & 63)
      setCount += 1
    }
  }

  /// Creates a bitmap with the given distinct rows set, each of which must be within the bitmap.
  init(count: Int, set rows: [Int]) {
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
    setCount = rows.count
    for row in rows { words[row >> 6] |= 1 << UInt64(row & 63) }
  }

  /// Appends a row.
  mutating func append(_ isSet: Bool) {
    if count % 64 == 0 { words.append(0) }
    if isSet { words[count >> 6] |= 1 << UInt64(count & 63) }
    setCount += isSet ? 1 : 0
    count += 1
  }

  /// Whether the row is set. The row must be within the bitmap.
  @inlinable
  public subscript(row: Int) -> Bool {
    words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Calls the closure for every set row, in order.
  @inlinable
  public func forEachSet(_ body: (Int) -> Void) {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        body(index << 6 + rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }

  var byteCount: Int { words.count * 8 }

  func write(to output: inout [UInt8]) {
    for word in words { output.appendLittleEndian(word) }
  }

  static func read(
    _ reader: inout LittleEndianReader, count: Int
  ) throws(ColumnError) -> Bitmap {
    var bitmap = Bitmap(count: 0)
    try bitmap.load(&reader, count: count)
    return bitmap
  }

  /// Reads a bitmap, reusing the memory of this one.
  mutating func load(
    _ reader: inout LittleEndianReader, count: Int
  ) throws(ColumnError) {
    let bytes = try reader.take((count + 63) / 64 * 8)
    self.count = count
    words.resize(to: (count + 63) / 64)
    setCount = 0
    // Safety: there are 8 bytes for each word.
    unsafe bytes.withUnsafeBytes { bytes in
      for index in words.indices {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
        words[index] = UInt64(littleEndian: word)
        setCount += words[index].nonzeroBitCount
      }
    }
    if count % 64 != 0, let last = words.last, last >> UInt64(count % 64) != 0 {
      self = Bitmap(count: 0)
      throw ColumnError("a bitmap has bits past its end")
    }
  }

  /// Reads a bitmap that is stored only if there are gaps; without gaps every row is set.
  mutating func load(
    _ reader: inout LittleEndianReader, count: Int, hasGaps: Bool
  ) throws(ColumnError) {
    if hasGaps {
      try load(&reader, count: count)
    } else {
      fill(count: count, with: true)
    }
  }

  /// Sets every row or none, reusing the memory of this bitmap.
  mutating func fill(count: Int, with isSet: Bool) {
    self.count = count
    words.refill(isSet ? .max : 0, count: (count + 63) / 64)
    if isSet, count % 64 != 0 { words[words.count - 1] = (1 << UInt64(count % 64)) - 1 }
    setCount = isSet ? count : 0
  }
}
