extension Table {
  /// The rows of a table, numbered from 0.
  public struct Rows: RandomAccessCollection, Sendable {
    let cells: [TableCell]
    let width: Int

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { cells.count / width }

    /// One row.
    public subscript(position: Int) -> Row {
      Row(cells: cells[position * width..<(position + 1) * width])
    }
  }

  /// The cells of one row, numbered like the columns from 0.
  public struct Row: RandomAccessCollection, Sendable {
    let cells: ArraySlice<TableCell>

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of columns.
    public var endIndex: Int { cells.count }

    /// One cell.
    public subscript(position: Int) -> TableCell { cells[cells.startIndex + position] }
  }
}
