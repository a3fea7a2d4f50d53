import Tables
import Testing

@Suite("Parts of tables")
struct TableFilterTests {
  private func table(_ rows: (String?, Int)..., name: String = "t") throws -> Table {
    var table = try Table(
      name: name, title: "T",
      columns: [
        .key("experiment", .text, "what is decided"),
        .measure("units", .integer, "units").main,
      ])
    for (experiment, units) in rows {
      try table.append(row: [TableCell(experiment), .integer(units)])
    }
    table.answer = ["All of it."]
    table.note("attribution", .text("last"))
    table.note("decisions", .integer(7))
    return table
  }

  @Test(
    "a filtered table keeps the wanted rows and what holds for any part, not counts and answers")
  func filtered() throws {
    let table = try table(("a", 1), ("b", 2), (nil, 3), ("a", 4))
    let part = table.filtered(by: "experiment") { $0 == .text("a") }
    #expect(
      part.rows.map { Array($0) } == [[.text("a"), .integer(1)], [.text("a"), .integer(4)]])
    #expect(part.notes.map(\.name) == ["attribution"] && part.answer.isEmpty)
    #expect(part.columns == table.columns && part.name == "t")
    #expect(table.filtered(by: "experiment") { $0 == .empty }.rows.count == 1)
    #expect(table.filtered(by: "variant") { _ in true }.rows.isEmpty)
    #expect(table.hasEmptyKeys && !part.hasEmptyKeys)
  }

  @Test("an excerpt has the first rows with the columns that people see")
  func excerpt() throws {
    let shown = try table(("a", 1), ("b", 2), ("c", 3)).excerpt(rows: 2)
    #expect(shown.columns.map(\.name) == ["units"])
    #expect(shown.rows.map { Array($0) } == [[.integer(1)], [.integer(2)]])
  }
}
