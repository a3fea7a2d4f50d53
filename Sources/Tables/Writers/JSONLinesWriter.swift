/// Writes a table as JSON Lines: one object per row and line, with the keys in column order and `null` for empty
/// cells. Notes are left out.
public struct JSONLinesWriter: TableWriter {
  /// Creates a writer.
  public init() {}

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let keys = JSONCells.keys(table.columns)
    for row in table.rows {
      JSONCells.append(row, keys: keys, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
      try afterEachRow(&buffer)
    }
  }
}
