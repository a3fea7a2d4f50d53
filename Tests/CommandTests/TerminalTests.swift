import Foundation
import TestSupport
import Testing

@Suite("Reports on a terminal and elsewhere")
struct TerminalTests {
  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
    let long = Samples.decisions(20..<40).map {
      $0.replacing("\"checkout\"", with: "\"an experiment with quite a long name, says who?\"")
        .replacing(
          "\"red\"", with: "\"a variant that tells a story of seventy characters and more 😀\"")
    }
    expectDone(
      try Command.run("append \(log)", input: (Samples.decisions(0..<20) + long).text))
  }

  private var reports: [String] {
    [
      "report rewards \(log)", "report rewards \(log) --per unit", "log info \(log)",
      "log info \(log) --columns", "formats",
    ]
  }

  private func expectWidth(_ text: String, atMost width: Int) {
    for line in text.split(separator: "\n") {
      // A face takes two columns, all else in these tables takes one.
      let columns = line.count + line.filter { $0 == "😀" }.count
      #expect(columns <= width, "\(line)")
    }
  }

  @Test("on a pipe a report is CSV unless another format is asked for")
  func onPipe() throws {
    for report in reports {
      let usual = try Command.run(report)
      expectDone(usual)
      #expect(try usual.output == Command.run("\(report) --format csv").output)
      #expect(!usual.text.contains("\u{1B}"))
    }
  }

  @Test("on a terminal it is a table no wider than the terminal", arguments: [80, 50, 200])
  func onTerminal(columns: Int) throws {
    for report in reports {
      let terminal = try PseudoTerminal(columns: columns)
      let result = try terminal.run(
        report.split(separator: " ").map(String.init), environment: ["NO_COLOR": "1"])
      expectDone(result)
      // A list is no table of columns.
      #expect(result.text.contains("──") == (report != "formats"))
      expectWidth(result.text, atMost: columns)
    }
  }

  @Test("a table elsewhere is never wider than 80 columns")
  func tableOnPipe() throws {
    for report in reports {
      let result = try Command.run("\(report) --format table")
      expectDone(result)
      expectWidth(result.text, atMost: 80)
      #expect(!result.text.contains("\u{1B}"))
    }
  }

  @Test("colour is only for terminals that want it")
  func colour() throws {
    let show = { (environment: [String: String]) throws -> String in
      let terminal = try PseudoTerminal(columns: 80)
      return try terminal.run(["report", "rewards", log], environment: environment).text
    }
    let coloured = try show(["TERM": "xterm-256color"])
    let plain = try show(["TERM": "xterm-256color", "NO_COLOR": "1"])
    #expect(coloured.contains("\u{1B}["))
    #expect(!plain.contains("\u{1B}"))
    #expect(try !show(["TERM": "dumb"]).contains("\u{1B}"))
    #expect(try show(["TERM": "xterm-256color", "NO_COLOR": ""]) == coloured)
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("a file is CSV also when a terminal is there")
  func toFile() throws {
    let terminal = try PseudoTerminal(columns: 80)
    let path = folder.path("rewards")
    let result = try terminal.run(
      ["report", "rewards", log, "-o", path], environment: ["TERM": "xterm"])
    expectDone(result)
    #expect(result.text == "")
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == Command.run("report rewards \(log)").text
    )
  }

  @Test("JSON, JSON Lines and Markdown are what they say, with a row for each row of the CSV")
  func formats() throws {
    for report in reports {
      let count = try Command.run("\(report) --format csv").lines.count - 1
      let lines = try Command.run("\(report) --format jsonl").lines
      #expect(lines.count == count)
      for line in lines {
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
      }
      let json = try Command.run("\(report) --format json")
      let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
      #expect((object?["rows"] as? [Any])?.count == count)
      let markdown = try Command.run("\(report) --format markdown").lines
      #expect(markdown.filter { $0.hasPrefix("|") }.count == count + 2)
    }
  }

  @Test("a formula is a text like any other unless a spreadsheet is to read it")
  func spreadsheets() throws {
    let other = folder.path("other")
    let line = Samples.decisions(0..<1)[0].replacing("\"red\"", with: "\"=1+1\"")
    expectDone(try Command.run("append \(other)", input: line + "\n"))
    #expect(try Command.run("report rewards \(other)").text.contains(",=1+1,"))
    #expect(
      try Command.run("report rewards \(other) --spreadsheet-safe").text.contains(",'=1+1,"))
  }
}
