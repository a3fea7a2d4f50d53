import TestSupport
import Testing

@testable import Tables

@Suite("Leading notes")
struct LeadingNoteTests {
  private func table() throws -> Table {
    var table = try Table(name: "t", title: "T", columns: [.key("a", .text, "")])
    try table.append(row: [.text("x")])
    table.note("rule", .integer(1))
    table.note("verdict", .text("weak"), isLead: true)
    return table
  }

  @Test("are above the rows for people, and among the other notes for programs")
  func places() throws {
    let table = try table()
    #expect(
      text(write(table, as: .table, options: .init(terminalWidth: 40)))
        == "T\nverdict: weak\na\n─\nx\n\nrule: 1\n")
    #expect(
      text(write(table, as: .markdown))
        == "## T\n\n- verdict: weak\n\n| a |\n| :--- |\n| x |\n\n- rule: 1\n")
    #expect(
      text(write(table, as: .json)).contains("\"notes\":{\"rule\":1,\"verdict\":\"weak\"}"))
    #expect(text(write(table, as: .csv)) == "a\nx\n")
  }
}
