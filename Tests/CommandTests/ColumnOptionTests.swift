import Foundation
import TestSupport
import Testing

@Suite("--wide, --columns and -o")
struct ColumnOptionTests {
  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<20).text))
  }

  @Test("a table has the columns that matter and says how many others there are; --wide has all")
  func wide() throws {
    let usual = try Command.run("report rewards \(log) --format table")
    expectDone(usual)
    #expect(!usual.text.contains("reward_sum") && usual.text.contains("4 columns and "))
    let wide = try Command.run("report rewards \(log) --format table --wide")
    expectDone(wide)
    #expect(wide.text.contains("variance") && !wide.text.contains("not shown"))
    let csv = try Command.run("report rewards \(log)")
    #expect(try Command.run("report rewards \(log) --wide").output == csv.output)
  }

  @Test("--columns chooses, in every format; an unknown one is an error that names the nearest")
  func columns() throws {
    let words = "report rewards \(log) --columns units,variant"
    #expect(try Command.run(words).lines == ["units,variant", "10,blue", "10,red"])
    let table = try Command.run("\(words) --format table")
    #expect(table.lines.contains("units  variant") && table.lines.contains("   10  blue"))
    let wrong = try Command.run("report rewards \(log) --columns varaint")
    #expect(wrong.exitCode == 64 && wrong.text.isEmpty)
    #expect(wrong.messages.contains("did you mean \"variant\"?"))
    let both = try Command.run("report rewards \(log) --columns units --wide")
    #expect(both.exitCode == 64 && both.messages.contains("exclude each other"))
  }

  @Test("-o says what it wrote, and nothing on standard output")
  func output() throws {
    let path = folder.path("rewards.csv")
    let result = try Command.run("report rewards \(log) -o \(path)")
    #expect(result.exitCode == 0 && result.text.isEmpty)
    #expect(result.messages == "bandolier: wrote \(path): 2 rows, csv\n")
  }

  @Test(
    "a terminal without UTF-8 gets rules in ASCII",
    arguments: [["LC_ALL": "C"], ["TERM": "dumb"], ["LANG": "de_DE.ISO-8859-1"]])
  func ascii(environment: [String: String]) throws {
    let usual = ["TERM": "xterm", "NO_COLOR": "1"]
    let words = ["report", "rewards", log]
    let plain = try PseudoTerminal(columns: 80).run(
      words, environment: usual.merging(environment) { $1 })
    #expect(plain.text.contains("----") && plain.text.utf8.allSatisfy { $0 < 0x80 })
    let other = try PseudoTerminal(columns: 80).run(
      words, environment: usual.merging(["LC_ALL": "de_DE.UTF-8"]) { $1 })
    #expect(other.text.contains("──"))
  }
}
