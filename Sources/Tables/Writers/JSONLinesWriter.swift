/// Writes a table as JSON Lines: one object for each row on a line of its own, keys in the order of
/// the columns, `null` for an empty cell. Notes are left out.
public struct JSONLinesWriter: TableWriter {
  /// Makes a writer.
  public init() {}

  /// Appends the lines; see ``TableWriter``.
  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let keys = JSONText.keys(table.columns)
    for row in table.rows {
      JSONText.append(row, keys: keys, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
      try afterEachRow(&buffer)
    }
  }
}
