internal import Specifications

/// Writes a table as one JSON object, a line for each column and each row.
///
///     {"report":NAME,
///     "answer":[SENTENCE, ...],
///     "columns":[{"name":...,"kind":...,"type":...,"description":...}, ...],
///     "notes":{NAME:VALUE, ...},
///     "rows":[{COLUMN:VALUE, ...}, ...]}
///
/// Keys are in table order; an empty cell is `null`.
public struct JSONWriter: TableWriter {
  /// Creates a writer.
  public init() {}

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    appendHead(table, to: &buffer)
    let keys = JSONCells.keys(table.columns)
    var isFirst = true
    for row in table.rows {
      buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
      isFirst = false
      JSONCells.append(row, keys: keys, to: &buffer)
      try afterEachRow(&buffer)
    }
    buffer.append(contentsOf: (isFirst ? "]}\n" : "\n]}\n").utf8)
  }

  private func appendHead(_ table: Table, to buffer: inout [UInt8]) {
    append("{\"report\":", table.name, to: &buffer)
    buffer.append(contentsOf: ",\n\"answer\":[".utf8)
    for (index, sentence) in table.answer.enumerated() {
      append(index == 0 ? "" : ",", sentence, to: &buffer)
    }
    buffer.append(contentsOf: "],\n\"columns\":[".utf8)
    for (index, column) in table.columns.enumerated() {
      append(index == 0 ? "\n{\"name\":" : ",\n{\"name\":", column.name, to: &buffer)
      append(",\"kind\":", column.kind.rawValue, to: &buffer)
      append(",\"type\":", column.type.rawValue, to: &buffer)
      append(",\"description\":", column.description, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    }
    buffer.append(contentsOf: "\n],\n\"notes\":{".utf8)
    for (index, note) in table.notes.enumerated() {
      append(index == 0 ? "" : ",", note.name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      JSONCells.append(note.value, to: &buffer)
    }
    buffer.append(contentsOf: "},\n\"rows\":[".utf8)
  }

  private func append(_ prefix: String, _ text: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: prefix.utf8)
    JSONEscape.append(text, isShown: true, to: &buffer)
  }
}
