import TestSupport
import Testing

@testable import Tables

@Suite("A report table")
struct TableTests {
  private func table(_ types: TableColumn.ValueType...) throws -> Table {
    try Table(
      name: "test", title: "Test",
      columns: types.enumerated().map { .key("c\($0)", $1, "") })
  }

  @Test("refuses names that are not snake_case, twice the same, or no columns")
  func names() {
    for name in ["", "Rewards", "1st", "a-b", "a b", "é", "a,b", "_a", "a\"", "a\n"] {
      #expect(throws: TableError.badName(name)) {
        try Table(name: name, title: "", columns: [.key("a", .text, "")])
      }
      #expect(throws: TableError.badName(name)) {
        try Table(name: "a", title: "", columns: [.key(name, .text, "")])
      }
    }
    #expect(throws: TableError.noColumns(table: "a")) {
      try Table(name: "a", title: "", columns: [])
    }
    #expect(throws: TableError.duplicateColumn("b_2")) {
      try Table(
        name: "a", title: "", columns: [.key("b_2", .text, ""), .measure("b_2", .flag, "")])
    }
  }

  @Test("rejects a row of the wrong width and is unchanged")
  func width() throws {
    var table = try table(.text, .integer)
    try table.append(row: [.text("a"), .integer(1)])
    let before = table
    #expect(throws: TableError.wrongWidth(row: 2, cells: 1, columns: 2)) {
      try table.append(row: [.text("a")])
    }
    #expect(throws: TableError.wrongWidth(row: 2, cells: 3, columns: 2)) {
      try table.append(row: [.text("a"), .integer(1), .empty])
    }
    #expect(table == before)
  }

  @Test("refuses a cell that does not fit its column, whatever the pair of types")
  func types() throws {
    let cells: [TableCell] = [
      .text("a"), .integer(1), .decimal(1), .flag(true), .timestamp("2026-01-02T03:04:05Z"),
    ]
    for type in TableColumn.ValueType.allCases {
      for cell in cells {
        var table = try table(.flag, type)
        if let found = cell.type, found != type {
          let error = TableError.wrongType(row: 1, column: "c1", expected: type, found: found)
          #expect(throws: error) { try table.append(row: [.flag(true), cell]) }
          #expect(table.rows.isEmpty)
        } else {
          try table.append(row: [.flag(true), cell])
          #expect(Array(table.rows[0]) == [.flag(true), cell])
        }
      }
      var empty = try table(type)
      try empty.append(row: [.empty])
      #expect(empty.rows.first?.first == .empty)
    }
  }

  @Test("refuses a timestamp that would need quotes or could be a formula")
  func timestamps() throws {
    var table = try table(.timestamp)
    for text in ["", "now", "=1", "-1", "2026-01-02,", "2026-01-02T03:04:05Z\n", "2026 "] {
      #expect(throws: TableError.badTimestamp(row: 1, column: "c0")) {
        try table.append(row: [.timestamp(text)])
      }
    }
    try table.append(row: [.timestamp("2026-01-02T03:04:05.678901+01:00")])
    #expect(table.rows.count == 1)
  }

  @Test("turns decimals that are not finite into empty cells, in notes too")
  func notFinite() throws {
    var table = try table(.decimal)
    for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      try table.append(row: [.decimal(number)])
      table.note("n", .decimal(number))
      #expect(TableCell(number) == .empty)
    }
    #expect(table.rows.allSatisfy { $0[0] == .empty })
    #expect(table.notes.map(\.value) == [.empty])
  }

  @Test("keeps notes in order and replaces one of the same name in place")
  func notes() throws {
    var table = try table(.text)
    table.note("a", .integer(1))
    table.note("b", .text("x"))
    table.note("a", .integer(2))
    #expect(table.notes.map(\.name) == ["a", "b"])
    #expect(table.notes.map(\.value) == [.integer(2), .text("x")])
  }

  @Test("sorts texts by their bytes, not by language or canonical equivalence")
  func textOrder() throws {
    var table = try table(.text)
    for text in ["b", "é", "a", "", "B", "e\u{301}", "ab", "z", "\u{10000}", "\u{FFFD}"] {
      try table.append(row: [.text(text)])
    }
    try table.append(row: [.empty])
    let sorted = table.sorted().rows.map { row -> [UInt8]? in
      if case .text(let text) = row[0] { Array(text.utf8) } else { nil }
    }
    let expected = ["", "B", "a", "ab", "b", "e\u{301}", "z", "é", "\u{FFFD}", "\u{10000}"]
    #expect(sorted == [nil] + expected.map { Array($0.utf8) })
  }

  @Test("sorts by all keys in turn and by no measure, rows of the same keys staying in order")
  func keyOrder() throws {
    var table = try Table(
      name: "t", title: "",
      columns: [
        .measure("m", .integer, ""), .key("a", .integer, ""), .key("b", .decimal, ""),
        .key("c", .flag, ""),
      ])
    var rng = SeededGenerator(seed: 11)
    for number in 0..<2_000 {
      try table.append(row: [
        .integer(-number), .integer(Int.random(in: -10...10, using: &rng)),
        .decimal(Double(Int.random(in: -3...3, using: &rng))), .flag(Bool.random(using: &rng)),
      ])
    }
    func key(_ row: Table.Row) -> [Double] {
      row.map { cell in
        switch cell {
        case .integer(let number): Double(number)
        case .decimal(let number): number
        case .flag(let flag): flag ? 1 : 0
        default: .nan
        }
      }
    }
    let rows = table.sorted().rows.map(key)
    for (a, b) in zip(rows, rows.dropFirst()) {
      // The measure counts down, so that rows of equal keys must fall.
      let inOrder = [a[1], a[2], a[3], -a[0]].lexicographicallyPrecedes([b[1], b[2], b[3], -b[0]])
      #expect(inOrder, "\(a) before \(b), seed 11")
    }
    #expect(table.sorted().sorted() == table.sorted())
  }

  @Test("has rows and cells numbered from 0")
  func indices() throws {
    let table = try sampleTable()
    #expect(Array(table.rows.indices) == [0, 1, 2])
    #expect(Array(table.rows[1].indices) == Array(0..<6))
    #expect(table.rows[1][2] == .integer(-7))
  }

  @Test("makes empty cells of nil")
  func optionals() {
    #expect(TableCell(String?.none) == .empty)
    #expect(TableCell(Int?.none) == .empty)
    #expect(TableCell(Double?.none) == .empty)
    #expect(TableCell(Bool?.none) == .empty)
    #expect(TableCell(Int?.some(3)) == .integer(3))
  }

  @Test("every error says what is wrong and how to fix it")
  func messages() {
    #expect(
      TableError.wrongType(row: 3, column: "units", expected: .integer, found: .text)
        .description
        == "row 3, column units: text in a column of type integer; give integer or empty")
    #expect(
      TableError.badName("\u{1B}x").description
        == "\"\\u{1B}x\" is not a name; use lower-case letters, digits and _, a letter first")
  }

  @Test("sorting keeps rows intact, and is stable", arguments: 0..<100)
  func sortedLikeNaive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var table = try Table(
      name: "t", title: "T",
      columns: [
        .key("a", .text, "a"), .key("b", .integer, "b"), .measure("c", .integer, "c"),
      ])
    let count = random.index(60)
    let rows = (0..<count).map { row in (random.index(5), random.index(4), row) }
    for (a, b, c) in rows {
      try table.append(row: [.text(["", "b", "é", "z", "zz"][a]), .integer(b), .integer(c)])
    }
    let expected = rows.sorted { left, right in
      // "é" is C3 A9, behind all of ASCII.
      let order = [0, 1, 4, 2, 3]
      return (order[left.0], left.1, left.2) < (order[right.0], right.1, right.2)
    }
    let kept = table
    let sorted = table.sorted()
    #expect(sorted.rows.map { $0[2] } == expected.map { .integer($0.2) }, "seed \(seed)")
    #expect(kept.rows.map { $0[2] } == rows.map { .integer($0.2) })
    #expect(sorted.rows.allSatisfy { $0.count == 3 })
  }
}
