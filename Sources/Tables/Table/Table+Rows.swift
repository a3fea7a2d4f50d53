extension Table {
  /// The rows of a table, numbered from 0.
  public struct Rows: RandomAccessCollection, Sendable {
    let cells: [TableCell]
    let width: Int

    public var startIndex: Int { 0 }

    public var endIndex: Int { cells.count / width }

    /// The row at a position.
    public subscript(position: Int) -> Row {
      Row(cells: cells[position * width..<(position + 1) * width])
    }
  }

  /// The cells of one row, numbered like the columns from 0.
  public struct Row: RandomAccessCollection, Sendable {
    let cells: ArraySlice<TableCell>

    public var startIndex: Int { 0 }

    public var endIndex: Int { cells.count }

    /// The cell at a position.
    public subscript(position: Int) -> TableCell { cells[cells.startIndex + position] }
  }
}
