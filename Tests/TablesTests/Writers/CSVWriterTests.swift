import TestSupport
import Testing

@testable import Tables

/// A reader of RFC 4180 as simple as it gets.
private func readCSV(_ bytes: [UInt8]) -> [[[UInt8]]] {
  var rows: [[[UInt8]]] = []
  var row: [[UInt8]] = []
  var cell: [UInt8] = []
  var quoted = false
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    index += 1
    if quoted {
      if byte != UInt8(ascii: "\"") {
        cell.append(byte)
      } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
        cell.append(byte)
        index += 1
      } else {
        quoted = false
      }
    } else if byte == UInt8(ascii: "\"") {
      quoted = true
    } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") {
      row.append(cell)
      cell = []
      if byte == UInt8(ascii: "\n") {
        rows.append(row)
        row = []
      }
    } else {
      cell.append(byte)
    }
  }
  return rows
}

@Suite("The CSV writer")
struct CSVWriterTests {
  @Test("writes the expected bytes")
  func golden() throws {
    #expect(
      text(write(try sampleTable(), as: .csv)) == """
        experiment,variant,decisions,reward_mean,significant,last_seen
        checkout,"red, or ""rot""\",1200,0.3333333333333333,true,2026-01-02T03:04:05.678901Z
        checkout,=blue|2,-7,10,false,
        東京,"a
        b",,,,

        """)
  }

  @Test("is read back cell for cell by a naive reader, thousands of hostile tables", arguments: [1])
  func roundTrip(seed: UInt64) throws {
    for offset in 0..<3_000 {
      let table = try hostileTable(seed: seed << 32 + UInt64(offset))
      let rows = readCSV(write(table, as: .csv))
      #expect(rows.count == table.rows.count + 1, "seed \(seed), table \(offset)")
      #expect(rows.first == table.columns.map { Array($0.name.utf8) })
      for (read, row) in zip(rows.dropFirst(), table.rows) {
        #expect(read.count == row.count, "seed \(seed), table \(offset)")
        for (bytes, cell) in zip(read, row) {
          #expect(
            reads(bytes, as: cell), "seed \(seed), table \(offset): \(cell) as \(text(bytes))")
        }
      }
    }
  }

  private func reads(_ bytes: [UInt8], as cell: TableCell) -> Bool {
    switch cell {
    case .text(let text), .timestamp(let text): bytes == Array(text.utf8)
    case .integer(let number): Int(text(bytes)) == number
    case .decimal(let number): Double(text(bytes)) == number
    case .flag(let flag): text(bytes) == (flag ? "true" : "false")
    case .empty: bytes.isEmpty
    }
  }

  private func written(_ cell: String, safe: Bool = false) throws -> String {
    var table = try Table(
      name: "t", title: "", columns: [.key("a", .text, ""), .key("b", .text, "")])
    try table.append(row: [.text(cell), .empty])
    let options = TableOptions(spreadsheetSafe: safe)
    return String(text(write(table, as: .csv, options: options)).dropFirst(4).dropLast(2))
  }

  @Test(
    "quotes only what needs quotes",
    arguments: [
      ("a", "a"), ("a b", "a b"), (" a", "\" a\""), ("a ", "\"a \""), (" ", "\" \""),
      ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""), ("a\rb", "\"a\rb\""),
      ("a\nb", "\"a\nb\""), ("a\tb", "a\tb"), ("a'b", "a'b"), ("a;b", "a;b"), ("é", "é"),
      ("#a", "#a"), ("", ""),
    ])
  func quotes(cell: String, expected: String) throws {
    #expect(try written(cell) == expected)
  }

  @Test(
    "takes the sting out of formulas only when asked, and only in texts",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\ta", "'\ta"),
      ("\ra", "\"'\ra\""), ("=a,b", "\"'=a,b\""), ("a=1", "a=1"), ("'=1", "'=1"), ("", ""),
    ])
  func spreadsheetSafe(cell: String, expected: String) throws {
    #expect(try written(cell, safe: true) == expected)
    let plain = try written(cell)
    #expect(!plain.hasPrefix("'") || cell.hasPrefix("'"))
  }

  @Test("never prefixes a number")
  func numbersStayNumbers() throws {
    var table = try Table(
      name: "t", title: "", columns: [.key("a", .integer, ""), .key("b", .decimal, "")])
    try table.append(row: [.integer(-5), .decimal(-0.5)])
    #expect(text(write(table, as: .csv, options: .init(spreadsheetSafe: true))) == "a,b\n-5,-0.5\n")
  }

  @Test("writes the only cell of a row in quotes when it is empty: readers skip blank lines")
  func blankLines() throws {
    var table = try Table(name: "t", title: "", columns: [.key("a", .text, "")])
    try table.append(row: [.empty])
    try table.append(row: [.text("")])
    #expect(text(write(table, as: .csv)) == "a\n\"\"\n\"\"\n")
  }

  @Test("writes the header of a table without rows, and never the notes")
  func headerOnly() throws {
    var table = try Table(name: "t", title: "T", columns: [.key("a", .text, "A.")])
    table.note("attribution", .text("last"))
    #expect(text(write(table, as: .csv)) == "a\n")
  }
}
