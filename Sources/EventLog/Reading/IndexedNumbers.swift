/// An optional number for each event of a batch, as an index into the distinct numbers of the batch: what repeats a few
/// numbers, such as propensities, is counted by number.
package struct IndexedNumbers: Sendable {
  /// For each row that has a number, in order, its index in ``distinct``.
  package private(set) var indices: [UInt32] = []
  /// The distinct numbers. Those of a frame that was rewritten may not all occur.
  package private(set) var distinct: [Double] = []
  /// The rows that have a number.
  package private(set) var present = Bitmap(count: 0)

  /// Creates an empty column.
  init() {}

  /// Sets the column to rows without numbers.
  mutating func loadNone(rows: Int) {
    indices.removeAll(keepingCapacity: true)
    distinct.removeAll(keepingCapacity: true)
    present.fill(count: rows, with: false)
  }

  /// Reads a stream, preceded by the bitmap of the rows that have a number unless every row has one.
  ///
  /// - Returns: Whether the stream has a dictionary, or a constant; if not, the column has no rows.
  mutating func load(
    _ raw: ArraySlice<UInt8>, rows: Int, hasGaps: Bool
  ) throws(ColumnError) -> Bool {
    var reader = LittleEndianReader(raw)
    try present.load(&reader, count: rows, hasGaps: hasGaps)
    let stream = try reader.take(reader.remaining)
    let isIndexed = try NumberStream.readIndices(
      stream, count: present.setCount, into: &indices, &distinct)
    if !isIndexed { loadNone(rows: 0) }
    return isIndexed
  }
}
