import TestSupport
import Testing

@testable import Tables

@Suite("The answer of a table")
struct AnswerTests {
  private func table() throws -> Table {
    var table = try Table(name: "t", title: "T", columns: [.key("a", .text, "")])
    try table.append(row: [.text("x")])
    table.note("rule", .integer(1))
    table.answer = ["Blue leads.", "<b> and \"quotes\" are text."]
    return table
  }

  @Test("is above the rows for people, a list for programs, and never in a CSV or JSON Lines")
  func places() throws {
    let table = try table()
    #expect(
      text(write(table, as: .table, options: .init(terminalWidth: 40)))
        == "Blue leads.\n<b> and \"quotes\" are text.\n\nT\na\n─\nx\n\nrule: 1\n")
    #expect(
      text(write(table, as: .markdown))
        == "## T\n\nBlue leads.\n\n&lt;b&gt; and \"quotes\" are text.\n\n| a |\n| :--- |\n| x |\n\n- rule: 1\n"
    )
    #expect(
      text(write(table, as: .json)).contains(
        #"{"report":"t",\#n"answer":["Blue leads.","<b> and \"quotes\" are text."],"#))
    #expect(text(write(table, as: .csv)) == "a\nx\n")
    #expect(text(write(table, as: .jsonl)) == "{\"a\":\"x\"}\n")
  }

  @Test("of more words than a line has is wrapped, and controls in it are shown")
  func wrapped() throws {
    var table = try table()
    table.answer = ["One two three four five six seven\u{1B}[2J."]
    let lines = text(write(table, as: .table, options: .init(terminalWidth: 20)))
      .split(separator: "\n")
    #expect(lines[0] == "One two three four")
    #expect(lines[1...2].joined(separator: " ").contains("seven\\u{1B}[2J."))
  }

  @Test("quotes names that could be mistaken for words, and lists long lists in part")
  func words() {
    #expect(AnswerText.name("blue-2") == "blue-2")
    #expect(AnswerText.name("東京") == "東京")
    #expect(AnswerText.name("blue wins. Ship it") == "\"blue wins. Ship it\"")
    #expect(AnswerText.name("") == "\"\"")
    #expect(AnswerText.list([]) == "")
    #expect(AnswerText.list(["a"]) == "a")
    #expect(AnswerText.list(["a", "b", "c"]) == "a, b and c")
    #expect(AnswerText.list(["a", "b", "c", "d"], most: 2) == "a, b and 2 more")
    #expect(AnswerText.count(1, "unit") == "1 unit" && AnswerText.count(0, "unit") == "0 units")
  }
}

@Suite("Groups of rows")
struct AnswerRowsTests {
  @Test("have the same keys, however these run together when they are written one after the other")
  func keys() throws {
    var table = try Table(
      name: "t", title: "T",
      columns: [.key("a", .text, ""), .key("b", .text, ""), .measure("n", .integer, "")])
    let keys = [
      ("ab", "c"), ("a", "bc"), ("a", ""), ("", "a"), ("ab", "c"), ("1:a", ""), ("1", ":a"),
    ]
    for (number, key) in keys.enumerated() {
      try table.append(row: [.text(key.0), .text(key.1), .integer(number)])
    }
    let rows = AnswerRows(table)
    let groups = rows.groups(besides: []).map { $0.rows.map { rows.count($0, "n") }.sorted() }
    #expect(groups.map { $0[0] }.sorted() == [0, 1, 2, 3, 5, 6])
    #expect(groups.contains([0, 4]))
    #expect(rows.groups(besides: ["b"]).count == 5)
  }

  @Test("a row of the whole has no dimension in its name, whose value is unknown in that of others")
  func dimensions() throws {
    var table = try Table(
      name: "t", title: "T",
      columns: [
        .key("experiment", .text, ""), .key("dimension", .text, ""),
        .key("dimension_value", .text, ""), .measure("n", .integer, ""),
      ])
    for (dimension, value) in [("", ""), ("context.x", ""), ("context.x", "1")] {
      try table.append(row: [.text("e"), .text(dimension), .text(value), .integer(1)])
    }
    #expect(
      AnswerRows(table.sorted()).groups(besides: []).map(\.name)
        == ["e", "\"e/context.x unknown\"", "e/context.x=1"])
  }
}

@Suite("Who is ahead")
struct LeaderAnswerTests {
  private func sentences(
    _ rows: [(String, String, Double?, Double?, Double?)], lowest: Bool = false
  ) throws -> [String] {
    var table = try Table(
      name: "t", title: "T",
      columns: [
        .key("experiment", .text, ""), .key("variant", .text, ""), .measure("mean", .decimal, ""),
        .measure("ci_low", .decimal, ""), .measure("ci_high", .decimal, ""),
      ])
    for row in rows {
      try table.append(
        row: [.text(row.0), .text(row.1), TableCell(row.2), TableCell(row.3), TableCell(row.4)])
    }
    let read = AnswerRows(table.sorted())
    return LeaderAnswer(
      read, groups: read.groups(besides: ["variant"]), .init("mean"), lowest: lowest
    ).sentences("mean", level: 0.95)
  }

  @Test("is said with the interval and whether it overlaps others")
  func overlap() throws {
    #expect(
      try sentences([("e", "a", 1, 0.5, 1.5), ("e", "b", 2.123456, 1.6, 2.5)])
        == [
          "e: b has the highest mean, 2.123 (95 % interval 1.6 to 2.5); the interval overlaps no other."
        ])
    #expect(
      try sentences([("e", "a", 1, 0.5, 1.5), ("e", "b", 2, 1.5, 2.5)])
        == [
          "e: b has the highest mean, 2 (95 % interval 1.5 to 2.5); the interval overlaps that of a."
        ])
    #expect(
      try sentences([("e", "a", 1, nil, nil), ("e", "b", 2, nil, nil)], lowest: true)
        == ["e: a has the lowest mean, 1."])
    #expect(
      try sentences([("e", "a", 1, nil, nil), ("e", "b", 2, 1.5, 2.5)])
        == ["e: b has the highest mean, 2 (95 % interval 1.5 to 2.5); a without an interval."])
    #expect(
      try sentences([("e", "a", 1, nil, nil), ("e", "b", 2, 1.5, 2.5), ("e", "c", 1, 0, 1)])
        == [
          "e: b has the highest mean, 2 (95 % interval 1.5 to 2.5); the interval overlaps no other; a without an "
            + "interval."
        ])
  }

  @Test("is nobody where several are equal or one is alone")
  func ties() throws {
    #expect(
      try sentences([("e", "a", 0, 0, 0), ("e", "b", 0, 0, 0)])
        == ["e: a and b have the same mean, 0."])
    #expect(
      try sentences([("e", "0", 0, 0, 0), ("e", "1", 0, 0, 0), ("e", "2", 0, 0, 0)])
        == ["e: all 3 have the same mean, 0."])
    #expect(
      try sentences([("e", "a", 2, 1, 3), ("e", "b", 2, 1, 3), ("e", "c", 1, 0, 3)])
        == ["e: a and b share the highest mean, 2."])
    #expect(
      try sentences([("e", "a", 1, 0, 2)]) == ["e: a is alone: 1 (95 % interval 0 to 2)."])
    #expect(try sentences([("e", "a", nil, nil, nil)]) == [])
  }

  @Test("of many places is nobody where all are equal")
  func manyTies() throws {
    let tied = ["e1", "e2", "e3"].flatMap { name in
      [(name, "0", 0.0, 0.0, 0.1), (name, "1", 0.0, 0.0, 0.2)]
        as [(String, String, Double?, Double?, Double?)]
    }
    #expect(try sentences(tied) == ["The mean is the same for all: e1 (0), e2 (0) and e3 (0)."])
    #expect(
      try sentences(tied + [("e4", "a", 1, 0.5, 1.5), ("e4", "b", 0.7, 0.5, 1)])
        == [
          "The highest mean: e4 a (1); the same for all: e1 (0), e2 (0) and e3 (0).",
          "The 95 % interval of the highest overlaps that of another in 1 of 1 comparisons.",
        ])
  }

  @Test("is summed up for more than two places")
  func many() throws {
    let rows = ["e1", "e2", "e10"].flatMap { name in
      [(name, "a", 1.0, 0.9, 1.1), (name, "b", 2.0, name == "e2" ? 1.0 : 1.9, 2.1)]
        as [(String, String, Double?, Double?, Double?)]
    }
    #expect(
      try sentences(rows) == [
        "The highest mean: e1 b (2), e2 b (2) and e10 b (2).",
        "The 95 % interval of the highest overlaps that of another in 1 of 3 comparisons.",
      ])
  }
}
