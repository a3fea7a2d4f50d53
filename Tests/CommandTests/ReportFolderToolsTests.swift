import Foundation
import TestSupport
import Testing

/// What other programs make of the folder of `report all`. They are in the Python of `make report-tools`, which
/// `make test-long` makes where PyPI is within reach.
@Suite("The folder of report all, read by others")
struct ReportFolderToolsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  private static let python = root + "/.build/report-venv/bin/python"
  private static let areThere =
    LongTests.areWanted && FileManager.default.isExecutableFile(atPath: python)

  private let folder: TemporaryFolder
  private var report: String { folder.path("report") }

  init() throws { folder = try TemporaryFolder() }

  private func expectFine(_ script: String) throws {
    try expect([0], ["\(Self.root)/Tests/CommandTests/Samples/Folder/\(script)", report])
  }

  /// Opens the page in a browser; without Chromium the script says that it is skipped, and exits with 77.
  private func expectFinePage() throws {
    let script = "\(Self.root)/Tests/ReportsTests/Book/Page/Browser/check_pages.py"
    try expect([0, 77], [script, "\(report)/report.html"])
  }

  /// Reads the tables with a program that not every machine has: without it the script exits with 77.
  private func expectFineOrMissing(_ script: String) throws {
    try expect([0, 77], ["\(Self.root)/Tests/CommandTests/Samples/Folder/\(script)", report])
  }

  private func expect(_ exitCodes: Set<Int32>, _ arguments: [String]) throws {
    let command = try RunningCommand(
      Self.python, arguments, environment: ProcessInfo.processInfo.environment, patience: 600)
    let result = try command.finish()
    #expect(
      exitCodes.contains(result.exitCode),
      "\(result.text.suffix(4_000))\n\(result.messages.suffix(4_000))")
  }

  @Test("pandas and DuckDB read every value of awkward names as it is", .enabled(if: areThere))
  func awkward() throws {
    let log = folder.path("log")
    expectDone(try Command.run("append \(log)", input: AwkwardNames.lines.text))
    expectDone(try Command.run("report all \(log) -o \(report)"))
    try expectFine("check_tables.py")
    try expectFine("run_notebook.py")
    try expectFinePage()
  }

  @Test("R and LibreOffice read every value of awkward names as it is", .enabled(if: areThere))
  func spreadsheets() throws {
    let log = folder.path("log")
    expectDone(try Command.run("append \(log)", input: AwkwardNames.lines.text))
    expectDone(try Command.run("report all \(log) -o \(report)"))
    try expectFineOrMissing("check_r.py")
    try expectFineOrMissing("check_calc.py")
  }

  @Test("pandas, DuckDB and nbclient read the folder of a generated log", .enabled(if: areThere))
  func generated() throws {
    let log = folder.path("log")
    expectDone(try Command.run("generate storefront --events 20000 --seed 1 --log \(log)"))
    expectDone(try Command.run("report all \(log) -o \(report)"))
    try expectFine("check_tables.py")
    try expectFine("run_notebook.py")
    try expectFinePage()
  }
}

/// A log whose experiments, variants and goals have names that programs take for something else.
enum AwkwardNames {
  static let names = [
    "NA", "null", "NaN", "None", "001", "1e5", "true", "=1+1", "+1", "-1", "@x", "a,b", "a\"b",
    "two\nlines", "tab\there", " space ", "🙂👩‍👩‍👧", "שלום", "\u{202E}rtl", "<script>alert(1)</script>",
    "2026-01-01", "#x", "'x", "\\N", "e\u{301}", "\u{E9}", "a\rb",
  ]

  static var lines: [String] {
    names.enumerated().flatMap { index, name -> [String] in
      (0..<30).flatMap { number -> [String] in
        let variant = names[(index + number) % 3 == 0 ? index : (index + 1) % names.count]
        let time = Timestamps.text(seconds: index * 100 + number * 7_200)
        let unit = "u\(index)-\(number)"
        let decision = line([
          ("type", "decision"), ("time", time), ("unit", unit), ("experiment", name),
          ("variant", variant),
        ])
        let goal = line([
          ("type", "goal"), ("time", time), ("unit", unit), ("experiment", name), ("goal", variant),
        ])
        let conversion = line([
          ("type", "conversion"), ("time", time), ("unit", unit), ("goal", name),
        ])
        return number % 4 == 0 ? [decision, goal, conversion] : [decision]
      }
    }
  }

  private static func line(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\(quoted($1))" }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
