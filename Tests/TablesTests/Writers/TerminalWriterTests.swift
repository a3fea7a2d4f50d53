import TestSupport
import Testing

@testable import Tables

@Suite("The terminal writer")
struct TerminalWriterTests {
  private func lines(
    _ table: Table, width: Int, detail: TableDetail = .main, colour: Bool = false,
    unicode: Bool = true
  ) -> [String] {
    let options = TableOptions(
      terminalWidth: width, detail: detail, allowsColour: colour, allowsUnicode: unicode)
    return text(write(table, as: .table, options: options))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("writes the expected bytes: wide enough")
  func golden() throws {
    #expect(
      text(write(try sampleTable(), as: .table, options: .init(terminalWidth: 100))) == """
        Rewards by variant
        experiment  variant        decisions  reward_mean  significant  last_seen
        ──────────  ─────────────  ─────────  ───────────  ───────────  ───────────────────────────
        checkout    red, or "rot"       1200     0.333333  true         2026-01-02T03:04:05.678901Z
        checkout    =blue|2               -7           10  false
        東京        a\\nb

        attribution: last
        late_goals: 3

        """)
  }

  @Test(
    "writes the expected bytes: columns split, the last key repeated, the others above their rows")
  func split() throws {
    #expect(
      text(write(try sampleTable(), as: .table, options: .init(terminalWidth: 60))) == """
        Rewards by variant
        experiment
                                     reward_
          variant        decisions      mean  significant
          ─────────────  ─────────  ────────  ───────────
        checkout
          red, or "rot"       1200  0.333333  true
          =blue|2               -7        10  false
        東京
          a\\nb

        experiment
          variant        last_seen
          ─────────────  ───────────────────────────
        checkout
          red, or "rot"  2026-01-02T03:04:05.678901Z
          =blue|2
        東京
          a\\nb

        attribution: last
        late_goals: 3

        """)
  }

  @Test("writes the expected bytes: a list if not even the keys fit")
  func records() throws {
    #expect(
      lines(try sampleTable(), width: 24).prefix(9) == [
        "Rewards by variant",
        "── 1 ───────────────────",
        "experiment: checkout",
        "variant: red, or \"rot\"",
        "decisions: 1200",
        "reward_mean: 0.333333",
        "significant: true",
        "last_seen:",
        "  2026-01-02T03:04:05.67",
      ])
  }

  @Test("is never wider than the width given, whatever the table")
  func neverWider() throws {
    var rng = SeededGenerator(seed: 77)
    for seed in UInt64(0)..<2_000 {
      let width = [64, 80, 120].randomElement(using: &rng) ?? 80
      let widths = [width, Int.random(in: 20...160, using: &rng)]
      let detail = TableDetail.allCases.randomElement(using: &rng) ?? .main
      let table = try hostileTable(seed: seed, isDecorated: seed % 2 == 0)
      for width in widths {
        for line in lines(table, width: width, detail: detail, unicode: seed % 3 > 0) {
          #expect(TerminalText.width(line) <= width, "seed \(seed), width \(width): \(line)")
        }
      }
    }
  }

  @Test("counts a width below 20 as 20")
  func narrow() throws {
    for width in [Int.min, -1, 0, 19] {
      #expect(lines(try sampleTable(), width: width) == lines(try sampleTable(), width: 20))
    }
  }

  @Test("leaves no column out if all are asked for, however narrow")
  func noColumnLost() throws {
    for seed in UInt64(0)..<500 {
      let table = try hostileTable(seed: seed, isDecorated: seed % 2 == 0)
      for width in [20, 40, 80] {
        let output = lines(table, width: width, detail: .all).joined(separator: "\n")
        for column in table.columns {
          // Headings may be cut, but the first letters with the number of the column stay.
          #expect(output.contains(column.name.prefix(2)), "seed \(seed), width \(width)")
        }
      }
    }
  }

  @Test("never cuts a number")
  func numbersWhole() throws {
    for seed in UInt64(0)..<500 {
      let table = try hostileTable(seed: seed)
      let output = lines(table, width: 40).joined(separator: "\n")
      for cell in table.rows.joined() {
        if case .integer(let number) = cell {
          #expect(output.contains(String(number)), "seed \(seed)")
        }
      }
    }
  }

  @Test("lets no control or direction-turning character through")
  func controls() throws {
    for seed in UInt64(0)..<500 {
      let table = try hostileTable(seed: seed, isDecorated: seed % 2 == 0)
      let output = text(write(table, as: .table))
      let allowed = output.unicodeScalars.allSatisfy {
        $0 == "\n" || $0 == "\u{200D}" || TerminalText.escape(of: $0) == nil
      }
      #expect(allowed, "seed \(seed)")
    }
  }

  @Test("colours only when allowed, and the text stays the same")
  func colour() throws {
    let plain = lines(try sampleTable(), width: 80)
    let coloured = lines(try sampleTable(), width: 80, colour: true)
    #expect(coloured[0] == "\u{1B}[1mRewards by variant\u{1B}[0m")
    let stripped = coloured.map {
      ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].reduce($0) { $0.replacing($1, with: "") }
    }
    #expect(stripped == plain)
    #expect(!plain.joined().contains("\u{1B}"))
  }

  @Test("states that there are no rows")
  func noRows() throws {
    let table = try Table(
      name: "t", title: "", columns: [.key("a", .text, ""), .measure("count", .integer, "")])
    #expect(text(write(table, as: .table)) == "a  count\n─  ─────\n(no rows)\n")
  }

  @Test("gives room that is left back to the texts it cut")
  func widened() throws {
    let columns: [TerminalLayout.Measured] = [
      .init(heading: 3, cells: 10, canBeCut: true, isKey: true),
      .init(heading: 5, cells: 25, canBeCut: false, isKey: false),
      .init(heading: 5, cells: 40, canBeCut: true, isKey: false),
    ]
    #expect(
      TerminalLayout.plan(columns, width: 40)
        == .blocks([
          [.init(index: 0, width: 10), .init(index: 1, width: 25)],
          [.init(index: 0, width: 10), .init(index: 2, width: 28)],
        ]))
    #expect(
      TerminalLayout.plan(columns, width: 60)
        == .blocks([
          [.init(index: 0, width: 10), .init(index: 1, width: 25), .init(index: 2, width: 21)]
        ]))
    #expect(TerminalLayout.plan(columns, width: 20) == .records)
  }

  @Test("shows rows as records rather than cut a sentence")
  func sentences() {
    let columns: [TerminalLayout.Measured] = [
      .init(heading: 3, cells: 10, canBeCut: true, isKey: true),
      .init(heading: 5, cells: 41, canBeCut: true, isKey: false),
    ]
    #expect(TerminalLayout.plan(columns, width: 52) == .records)
    #expect(
      TerminalLayout.plan(columns, width: 53)
        == .blocks([[.init(index: 0, width: 10), .init(index: 1, width: 41)]]))
  }
}
