/// A bit for each row of a frame.
///
///     bitmap = ceil(count / 64) u64; row i is bit i % 64 of word i / 64; bits past the end are zero
public struct Bitmap: Hashable, Sendable {
  /// How many rows there are.
  public let count: Int
  /// The bits, 64 rows to a word, lowest bit first.
  public private(set) var words: [UInt64]
  /// How many rows are set.
  public private(set) var setCount: Int

  /// A bitmap with every row set or none.
  public init(count: Int, allSet: Bool = false) {
    self.init(count: count) { _ in allSet }
  }

  /// A bitmap with the rows set for which the closure says so.
  public init(count: Int, where isSet: (Int) -> Bool) {
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
    setCount = 0
    for row in 0..<count where isSet(row) {
      words[row >> 6] |= 1 << UInt64(row & 63)
      setCount += 1
    }
  }

  /// A bitmap with the given rows set, each of which must be one of the bitmap's and given once.
  init(count: Int, set rows: [Int]) {
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
    setCount = rows.count
    for row in rows { words[row >> 6] |= 1 << UInt64(row & 63) }
  }

  /// Whether the row is set. The row must be one of the bitmap's.
  @inlinable
  public subscript(row: Int) -> Bool {
    words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Calls the closure for every set row, in order.
  public func forEachSet(_ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
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
    var bitmap = Bitmap(count: count)
    var rest = try LittleEndianReader(reader.take(bitmap.byteCount))
    for index in bitmap.words.indices {
      bitmap.words[index] = try rest.read(UInt64.self)
      bitmap.setCount += bitmap.words[index].nonzeroBitCount
    }
    if count % 64 != 0, let last = bitmap.words.last, last >> UInt64(count % 64) != 0 {
      throw ColumnError("a bitmap has bits past its end")
    }
    return bitmap
  }
}
