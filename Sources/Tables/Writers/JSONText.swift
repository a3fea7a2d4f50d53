internal import Specifications

/// The text of strings, cells and rows in JSON and JSON Lines.
enum JSONText {
  /// Appends a JSON string.
  ///
  /// All control characters are escaped, including U+007F to U+009F, which JSON allows but terminals interpret, and
  /// the byte-order mark, which some readers drop.
  static func append(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let bytes = text.utf8Span.span
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0x20..<0x7F: output.append(byte)
      case 0..<0x20, 0x7F: appendEscape(byte, to: &output)
      case 0xC2 where index < bytes.count && bytes[index] < 0xA0:
        appendEscape(bytes[index], to: &output)
        index += 1
      case 0xEF where index + 1 < bytes.count && bytes[index] == 0xBB && bytes[index + 1] == 0xBF:
        output.append(contentsOf: "\\ufeff".utf8)
        index += 2
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a cell: `null` if empty.
  static func append(_ cell: TableCell, to output: inout [UInt8]) {
    switch cell {
    case .text(let text), .timestamp(let text): append(text, to: &output)
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

  private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      output.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
