package import Specifications

/// The text of cells and rows in JSON and JSON Lines.
enum JSONCells {
  /// Appends a cell: `null` if empty.
  static func append(_ cell: TableCell, to output: inout [UInt8]) {
    switch cell {
    case .text(let text), .timestamp(let text): JSONEscape.append(text, isShown: true, to: &output)
    case .integer(let number): NumberText.append(Int64(number), to: &output)
    case .decimal(let number) where number.isFinite: NumberText.append(cell: number, to: &output)
    case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .decimal, .empty: output.append(contentsOf: "null".utf8)
    }
  }

  /// Appends one object with the keys in column order.
  static func append(_ row: Table.Row, keys: [[UInt8]], to output: inout [UInt8]) {
    for index in row.indices {
      output.append(contentsOf: keys[index])
      append(row[index], to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Returns the text before the value of each column: `{"first":`, `,"second":` and so on.
  static func keys(_ columns: [TableColumn]) -> [[UInt8]] {
    columns.enumerated().map { index, column in
      Array("\(index == 0 ? "{" : ",")\"\(column.name)\":".utf8)
    }
  }
}

extension JSONTree {
  /// Creates the value of a cell; `null` if it is empty.
  package static func cell(_ cell: TableCell) -> JSONTree {
    switch cell {
    case .text(let text), .timestamp(let text): .text(text)
    case .integer(let number): .integer(number)
    // Zeros have no sign in a table.
    case .decimal(let number): number.isFinite ? .number(number == 0 ? 0 : number) : .null
    case .flag(let flag): .flag(flag)
    case .empty: .null
    }
  }
}
