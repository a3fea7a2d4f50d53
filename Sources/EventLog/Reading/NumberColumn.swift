/// A column of optional numbers of a batch: the rows that have one, and their numbers stored densely.
///
/// For counts and sums use ``present`` and ``dense``, or ``forEach(_:)``, which cost nothing for the rows without a
/// number.
public struct NumberColumn: Sendable {
  /// The numbers of the rows that have one, in order.
  public private(set) var dense: [Double] = []
  /// The rows that have a number.
  public private(set) var present = Bitmap(count: 0)
  /// For each word of ``present``, the number of preceding rows that have a number.
  @usableFromInline private(set) var ranks: [Int32] = []

  /// Creates an empty column.
  package init() {}

  /// Sets the column to rows without numbers.
  mutating func loadNone(rows: Int) {
    dense.removeAll(keepingCapacity: true)
    present.fill(count: rows, with: false)
    rank()
  }

  /// Reads a stream, preceded by the bitmap of the rows that have a number unless every row has one.
  mutating func load(
    _ raw: ArraySlice<UInt8>, rows: Int, hasGaps: Bool, _ scratch: inout NumberStream.Scratch
  ) throws(ColumnError) {
    var reader = LittleEndianReader(raw)
    try present.load(&reader, count: rows, hasGaps: hasGaps)
    let stream = try reader.take(reader.remaining)
    try NumberStream.read(stream, count: present.setCount, into: &dense, &scratch)
    rank()
  }

  private mutating func rank() {
    ranks.resize(to: present.words.count)
    var before: Int32 = 0
    for index in ranks.indices {
      ranks[index] = before
      before &+= Int32(truncatingIfNeeded: present.words[index].nonzeroBitCount)
    }
  }

  /// The number of a row; nil if it has none. The row must be one of the batch's.
  @inlinable
  public subscript(row: Int) -> Double? {
    let bit = UInt64(row & 63)
    let word = present.words[row >> 6] >> bit
    guard word & 1 != 0 else { return nil }
    let after = word.nonzeroBitCount
    let all = present.words[row >> 6].nonzeroBitCount
    return dense[Int(ranks[row >> 6]) + all - after]
  }

  /// Calls the closure with every row that has a number, and its number, in order.
  @inlinable
  public func forEach(_ body: (_ row: Int, _ number: Double) -> Void) {
    var next = 0
    present.forEachSet { row in
      body(row, dense[next])
      next += 1
    }
  }

  /// Returns a number for each row; 0 if the row has none.
  ///
  /// - Complexity: O(rows); creates a new array.
  public func numbers() -> [Double] {
    var numbers = [Double](repeating: 0, count: present.count)
    ColumnKernels.spread(dense, to: present, into: &numbers)
    return numbers
  }
}
