/// The integers of the last few rows, column by column in memory that stays in the first-level cache. Setting a number
/// is a single store; when the tile is full, each of its columns is copied to its destination at once. Rows that were
/// not set are 0, as in the columns.
struct RowTile: Sendable {
  /// The number of rows of a tile, a power of two.
  static let rowCount = 64
  static let columnCount = 32

  private var values = [Int64](repeating: 0, count: rowCount * columnCount)
  /// The columns with at least one row set, one bit each.
  private var used: UInt32 = 0

  /// Sets the value of a row of the frame. The column must be one of the first 32, and the rows of the previous tile
  /// must have been moved.
  @inline(__always)
  mutating func set(_ column: ColumnID, _ value: Int64, _ row: Int) {
    let place = Int(column.rawValue) &* Self.rowCount &+ (row & (Self.rowCount &- 1))
    values[place] = value
    used |= 1 &<< UInt32(column.rawValue)
  }

  /// Appends the tile's rows to the columns, and empties it. The last row is the one before row `end`.
  mutating func move(to columns: inout [IntegerColumn], end: Int) {
    guard used != 0 else { return }
    let count = (end - 1) % Self.rowCount + 1
    for column in columns.indices where used >> UInt32(column) & 1 != 0 {
      let start = column * Self.rowCount
      columns[column].append(
        contentsOf: values.span.extracting(start..<start + count), from: end - count)
      for place in start..<start + count { values[place] = 0 }
    }
    used = 0
  }
}
