import TestSupport
import Testing

@testable import Tables

@Suite("What a terminal shows of a table")
struct TerminalViewTests {
  private func shown(
    _ table: Table, _ width: Int = 80, _ detail: TableDetail = .main, unicode: Bool = true
  ) -> String {
    text(
      write(
        table, as: .table,
        options: .init(terminalWidth: width, detail: detail, allowsUnicode: unicode)))
  }

  private func rewards(_ arms: [(String, String, String)]) throws -> Table {
    var table = try Table(
      name: "rewards", title: "Rewards",
      columns: [
        .key("experiment", .text, ""), .key("point", .text, ""), .key("variant", .text, ""),
        .measure("decisions", .integer, "").main, .measure("variance", .decimal, ""),
        .measure("rate", .decimal, "").share.main, .measure("why", .text, "").sentence.main,
      ])
    for (index, arm) in arms.enumerated() {
      try table.append(row: [
        .text(arm.0), .text(arm.1), .text(arm.2), .integer(1_000 + index), .decimal(0.25),
        .decimal(0.123_456),
        index == 0 ? .text("a sentence about the row that is too long for a column") : .empty,
      ])
    }
    table.note("rule", .text("last touch"))
    table.method = TableMethod("plain means", report: "rewards")
    return table.sorted()
  }

  @Test("are the main columns and the keys that differ; the others are said or counted")
  func main() throws {
    let table = try rewards([("checkout", "point-1", "v10"), ("checkout", "point-1", "v2")])
    #expect(
      shown(table, 64) == """
        Rewards
        experiment: checkout, point: point-1
        variant  decisions     rate
        ───────  ─────────  ───────
        v2            1001  12.35 %
        v10           1000  12.35 %
          why: a sentence about the row that is too long for a column

        Method: plain means; `bandolier explain rewards` has the
        formulas.
        1 column and 1 note are not shown: --wide shows all, --columns
        NAME,... chooses.

        """)
  }

  @Test("are all columns and notes if asked for")
  func wide() throws {
    let table = try rewards([("checkout", "point-1", "v10"), ("checkout", "point-1", "v2")])
    let wide = shown(table, 120, .all)
    for column in table.columns { #expect(wide.contains(column.name), "\(column.name)") }
    #expect(wide.contains("rule: last touch") && !wide.contains("not shown"))
    #expect(!wide.contains("Method:"))
  }

  @Test("are the columns that were chosen, in their order")
  func chosen() throws {
    let table = try rewards([("checkout", "point-1", "v10"), ("checkout", "point-1", "v2")])
      .sortedForPeople().selecting(["variance", "variant"])
    let lines = shown(table, 80, .chosen).split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(5) == [
        "Rewards", "variance  variant", "────────  ───────", "    0.25  v2", "    0.25  v10",
      ])
    #expect(lines.last == "1 note is not shown: --wide shows all.")
  }

  @Test("say a sentence once below adjacent rows that all have it")
  func sameSentences() throws {
    var table = try rewards([])
    let rows = [("e", "a", "x"), ("e", "b", "x"), ("e", "c", ""), ("f", "a", "x"), ("g", "a", "y")]
    for row in rows {
      try table.append(row: [
        .text(row.0), .text("p"), .text(row.1), .integer(1), .empty, .decimal(0.5), .text(row.2),
      ])
    }
    #expect(
      shown(table.sorted(), 64).hasPrefix(
        """
        Rewards
        point: p
        experiment  variant  decisions     rate
        ──────────  ───────  ─────────  ───────
        e           a                1  50.00 %
        e           b                1  50.00 %
          why of these 2: x
        e           c                1  50.00 %
        f           a                1  50.00 %
          why: x
        g           a                1  50.00 %
          why: y

        """))
  }

  @Test("of days are their dates for people, and timestamps for programs")
  func days() throws {
    var table = try Table(
      name: "t", title: "T",
      columns: [.key("a", .text, ""), TableColumn.measure("until", .timestamp, "").day.main])
    try table.append(row: [.text("x"), .timestamp("2026-03-01T00:00:00Z")])
    #expect(shown(table, 40) == "T\na  until\n─  ──────────\nx  2026-03-01\n")
    #expect(text(write(table, as: .csv)) == "a,until\nx,2026-03-01T00:00:00Z\n")
  }

  @Test("have leading keys as headings where the row is too wide, and nothing is cut")
  func groups() throws {
    let table = try rewards([
      ("checkout-button", "point-1", "orange"), ("homepage", "landing", "gift-card"),
      ("homepage", "landing", "newsletter"),
    ])
    #expect(
      shown(table, 40).hasPrefix(
        """
        Rewards
        experiment / point
          variant     decisions     rate
          ──────────  ─────────  ───────
        checkout-button / point-1
          orange           1000  12.35 %
            why: a sentence about the row that
              is too long for a column
        homepage / landing
          gift-card        1001  12.35 %
          newsletter       1002  12.35 %

        """))
  }

  @Test("is in ASCII where the terminal has no other characters")
  func ascii() throws {
    let table = try rewards([("checkout", "point-1", String(repeating: "long", count: 12))])
    let output = shown(table, 40, unicode: false)
    #expect(output.utf8.allSatisfy { $0 < 0x80 })
    #expect(output.contains("---") && output.contains("..."))
  }

  @Test("draws a time series as a line for each variant, and has the rows if asked for")
  func series() throws {
    var table = try Table(
      name: "series", title: "Day by day",
      columns: [
        .key("variant", .text, ""), .key("day", .text, ""),
        .measure("decisions", .integer, "").main, .measure("total", .integer, ""),
      ])
    for (variant, top) in [("v10", 4), ("v2", 8)] {
      for day in 1...4 {
        try table.append(row: [
          .text(variant), .text("2026-01-0\(day)"), .integer(day * top / 4), .integer(day),
        ])
      }
    }
    table.series = TableSeries(along: "day", drawn: [("decisions", nil)], last: ["total"])
    #expect(
      shown(table) == """
        Day by day
        variant  total  decisions
        ───────  ─────  ─────────
        v2           4  ▃▅▆█
        v10          4  ▃▅▆█

        8 rows and 1 column are not shown: --wide shows all, --columns NAME,... chooses.

        """)
    #expect(shown(table, unicode: false).contains("v2           4  :=+#"))
    #expect(shown(table, 80, .all).contains("2026-01-03"))
  }

  @Test("has the rows in focus, in the order of their values, and all if asked for")
  func focus() throws {
    var table = try Table(
      name: "t", title: "Health",
      columns: [.key("check", .text, ""), .measure("verdict", .text, "").main])
    for (check, verdict) in [("a", "ok"), ("b", "warning"), ("c", "failed"), ("d", "ok")] {
      try table.append(row: [.text(check), .text(verdict)])
    }
    table.focus = TableFocus(column: "verdict", values: ["failed", "warning"])
    #expect(
      shown(table) == """
        Health
        check  verdict
        ─────  ───────
        c      failed
        b      warning

        2 rows are not shown: --wide shows all.

        """)
    #expect(shown(table, 80, .all).contains("a      ok"))
    table.focus = TableFocus(column: "verdict", values: ["lost"])
    #expect(shown(table) == "Health\n\n4 rows are not shown: --wide shows all.\n")
  }

  @Test("breaks the names of columns over lines before it splits a table")
  func headings() throws {
    var table = try Table(
      name: "t", title: "T",
      columns: [
        .key("variant", .text, ""), .measure("effective_sample_size", .integer, "").main,
        .measure("ci_low", .decimal, "").main,
      ])
    try table.append(row: [.text("orange"), .integer(1_200), .decimal(0.5)])
    #expect(
      shown(table, 30)
        == """
        T
                 effective_
                    sample_  ci_
        variant        size  low
        ───────  ──────────  ───
        orange         1200  0.5

        """)
  }

  @Test("keeps rows in an order of their own, such as a ranking")
  func ranking() throws {
    var table = try Table(
      name: "t", title: "",
      columns: [.key("name", .text, ""), .measure("rank", .integer, "").main])
    for (rank, name) in ["b", "c", "a"].enumerated() {
      try table.append(row: [.text(name), .integer(rank)])
    }
    #expect(shown(table) == "name  rank\n────  ────\nb        0\nc        1\na        2\n")
  }
}

@Suite("Cells for people")
struct CellTextTests {
  @Test(
    "have the digits that matter and their unit",
    arguments: [
      (0.123_456, .share, "12.35 %"), (0, .share, "0 %"), (1, .share, "100.00 %"),
      (0.000_012_34, .share, "0.0012 %"), (-0.051_5, .share, "-5.15 %"),
      (0.123_456, .estimate, "0.1235"), (1_234.567, .estimate, "1235"), (0, .estimate, "0"),
      (1e-7, .pValue, "<0.0001"), (0.012_345, .pValue, "0.0123"), (1, .pValue, "1"),
      (96_496.2, .count, "96496"), (0.5, .duration, "0.5 s"), (12.34, .duration, "12.3 s"),
      (59.97, .duration, "1 min"), (192, .duration, "3 min 12 s"), (3_599.9, .duration, "1 h"),
      (18_240, .duration, "5 h 4 min"), (180_000, .duration, "2 d 2 h"),
      (0.123_456_78, .plain, "0.123457"),
    ] as [(Double, TableColumn.Display, String)])
  func numbers(number: Double, display: TableColumn.Display, shown: String) {
    #expect(CellText.text(.decimal(number), as: display) == shown)
  }

  @Test("are never rounded in CSV, JSON and Markdown")
  func exact() throws {
    var table = try Table(
      name: "t", title: "",
      columns: [.measure("a", .decimal, "").share.main, .measure("b", .decimal, "").pValue])
    try table.append(row: [.decimal(0.123_456_789), .decimal(1e-9)])
    for format in [TableFormat.csv, .json, .jsonl, .markdown] {
      let output = text(write(table, as: format))
      #expect(output.contains("0.123456789") && output.contains("1e-09"), "\(format)")
    }
  }
}

@Suite("A sparkline")
struct SparklineTests {
  @Test("goes from 0 to the greatest value, or to a given top")
  func heights() {
    #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7], width: 20) == "▁▂▃▄▅▆▇█")
    #expect(Sparkline.text([0.5, 0.5], top: 1, width: 20) == "▅▅")
    #expect(Sparkline.text([0, 0], width: 20) == "▁▁")
    #expect(Sparkline.text([nil, 1], width: 20) == " █")
    #expect(Sparkline.text([-5, 2], width: 20) == "▁█")
    #expect(Sparkline.text([], width: 20) == "")
    #expect(Sparkline.text([0, 7], width: 20, allowsUnicode: false) == "_#")
  }

  @Test("takes the mean of neighbours where they are more than fit")
  func groups() {
    #expect(Sparkline.text([0, 0, 7, 7, 7, 7], width: 3) == "▁██")
    for count in 1..<100 {
      #expect(Sparkline.text(Array(repeating: 1, count: count), width: 15).count <= 15)
    }
  }
}
