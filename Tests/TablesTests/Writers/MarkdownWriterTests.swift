import TestSupport
import Testing

@testable import Tables

@Suite("The Markdown writer")
struct MarkdownWriterTests {
  @Test("writes the expected bytes")
  func golden() throws {
    #expect(
      text(write(try sampleTable(), as: .markdown)) == #"""
        ## Rewards by variant

        | experiment | variant | decisions | reward_mean | significant | last_seen |
        | :--- | :--- | ---: | ---: | :--- | :--- |
        | checkout | red, or "rot" | 1200 | 0.3333333333333333 | true | 2026-01-02T03:04:05.678901Z |
        | checkout | =blue\|2 | -7 | 10 | false | |
        | 東京 | a<br>b | | | | |

        - attribution: last
        - late_goals: 3

        """#)
  }

  @Test("has as many unescaped bars in every line of a hostile table as it has columns, and one")
  func bars() throws {
    for seed in UInt64(0)..<1_000 {
      let table = try hostileTable(seed: seed)
      var bytes: [UInt8] = []
      MarkdownWriter(headingLevel: 0).write(table, to: &bytes)
      let lines = text(bytes).split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines.prefix(table.rows.count + 2) {
        var bars = 0
        var escaped = false
        for scalar in line.unicodeScalars {
          if scalar == "|", !escaped { bars += 1 }
          escaped = scalar == "\\" && !escaped
        }
        #expect(bars == table.columns.count + 1, "seed \(seed): \(line)")
      }
    }
  }

  @Test(
    "shows markup as text",
    arguments: [
      ("<b>&", "&lt;b&gt;&amp;"), ("*a*", "\\*a\\*"), ("a_b", "a_b"), ("_a_", "\\_a\\_"),
      ("`a`", "\\`a\\`"), ("[a](b)", "\\[a\\](b)"), ("\\", "\\\\"), ("a\u{1B}b", "a\\\\u{1B}b"),
      ("a\r\nb", "a\\\\r<br>b"), ("~~a~~", "\\~\\~a\\~\\~"), ("é👩‍👩‍👧", "é👩‍👩‍👧"),
    ])
  func escapes(cell: String, expected: String) throws {
    var table = try Table(name: "t", title: "", columns: [.key("a", .text, "")])
    try table.append(row: [.text(cell)])
    #expect(text(write(table, as: .markdown)) == "| a |\n| :--- |\n| \(expected) |\n")
  }

  @Test("has a heading of the level asked for, at most 6")
  func headings() throws {
    let table = try Table(name: "t", title: "T", columns: [.key("a", .text, "")])
    for (level, start) in [
      (-1, "| a"), (0, "| a"), (1, "# T\n"), (3, "### T\n"), (9, "###### T\n"),
    ] {
      var bytes: [UInt8] = []
      MarkdownWriter(headingLevel: level).write(table, to: &bytes)
      #expect(text(bytes).hasPrefix(start))
    }
  }
}
