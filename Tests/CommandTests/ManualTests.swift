import Foundation
import TestSupport
import Testing

/// The manual pages, as `bandolier manual` writes them.
@Suite("Manual pages")
struct ManualTests {
  /// The verbs that have a page; those that help does not list have none.
  private static let verbs = (Verbs.all + Verbs.handedOver).filter { $0 != ["manual"] }

  private static func write(_ folder: TemporaryFolder, environment: [String: String] = [:]) throws {
    let result = try Command.run(["manual", "-o", folder.path("man1")], environment: environment)
    expectDone(result)
    #expect(result.text == "")
  }

  private static func page(_ words: [String], in folder: TemporaryFolder) throws -> String {
    let name = (["bandolier"] + words).joined(separator: "-")
    return try String(contentsOfFile: folder.path("man1/\(name).1"), encoding: .utf8)
  }

  /// The text without what makes it bold or italic, and with its characters as they print.
  private static func plain(_ page: String) -> String {
    [
      ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"),
      ("\\(ha", "^"), ("\\e", "\\"),
    ]
    .reduce(page) { $0.replacing($1.0, with: $1.1) }
  }

  @Test("the command and every verb have a page with the usual sections")
  func sections() throws {
    let folder = try TemporaryFolder()
    try Self.write(folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("man1"))
    #expect(files.count == Self.verbs.count && files.count > 40)
    for words in Self.verbs {
      let page = try Self.page(words, in: folder)
      let titles = page.matches(of: /\.SH "([A-Z ]+)"\n/).map { String($0.output.1) }
      let isGroup = words.isEmpty || [["report"], ["log"], ["metrics"]].contains(words)
      var expected = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"]
      if isGroup { expected.insert(words == ["report"] ? "REPORTS" : "VERBS", at: 3) }
      if words.isEmpty { expected += ["ENVIRONMENT", "FILES"] }
      if !isGroup, !Verbs.handedOver.contains(words) { expected.append("EXAMPLES") }
      #expect(titles == expected + ["SEE ALSO"], "\(words)")
    }
  }

  @Test("a page has every option and example of its verb, with what help says of them")
  func contents() throws {
    let folder = try TemporaryFolder()
    try Self.write(folder)
    for verb in Verbs.described where Self.verbs.contains(verb.words) {
      let page = Self.plain(try Self.page(verb.words, in: folder))
      for option in verb.options { #expect(page.contains("\(option.name) \(option.valueName)\n")) }
      for name in verb.names where name.count > 1 { #expect(page.contains("--\(name)"), "\(name)") }
      let help = try Command.run(verb.words + ["--help"]).text
      for line in help.components(separatedBy: "\nEXAMPLES:\n").dropFirst().joined().split(
        separator: "\n")
      {
        #expect(page.contains("\n\(line)\n"), "\(verb.words): \(line)")
      }
    }
    let compare = Self.plain(try Self.page(["report", "compare"], in: folder))
    #expect(
      compare.contains("bandolier-report-compare - Which variant is better than the baseline"))
    #expect(compare.contains("--crossing rule\n"))
    #expect(compare.contains("default: drop)"))
    let command = try Self.page([], in: folder)
    for status in [0, 3, 64, 65, 66, 73, 74, 75, 130, 141] {
      #expect(command.contains("\n.TP\n\\fB\(status)\\fR\n"), "\(status)")
    }
    for name in ["NO_COLOR", "COLUMNS", "TERM", "TMPDIR", "LC_ALL"] {
      #expect(command.contains("\\fB\(name)"), "\(name)")
    }
  }

  @Test("the documentation, the help and the manual have the same exit codes")
  func statuses() throws {
    let path = "Sources/Reports/Reports.docc/CommandLine.md"
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    let documented = page.matches(of: #/\n\| (\d+) \| /#).compactMap { Int($0.output.1) }
    let help = try Command.run("--help").text.replacing("\n", with: " ")
    let sentence = try #require(help.firstMatch(of: #/Exit codes: (.*?)\. /#)).output.1
    let helped = sentence.split(separator: "; ").compactMap { Int($0.prefix { $0 != " " }) }
    #expect(documented == helped)
    let folder = try TemporaryFolder()
    try Self.write(folder)
    let manual = try Self.page([], in: folder)
    #expect(manual.matches(of: #/\.TP\n\\fB(\d+)\\fR\n/#).compactMap { Int($0.output.1) } == helped)
  }

  @Test("a page refers to pages that exist, and to those that its text names")
  func references() throws {
    let folder = try TemporaryFolder()
    try Self.write(folder)
    for words in Self.verbs {
      let page = Self.plain(try Self.page(words, in: folder))
      let names = page.matches(of: /(bandolier[a-z-]*)\(1\)/).map { "\($0.output.1).1" }
      #expect(!names.isEmpty, "\(words)")
      for name in names {
        #expect(FileManager.default.fileExists(atPath: folder.path("man1/\(name)")), "\(name)")
      }
      #expect(
        !names.contains("\((["bandolier"] + words).joined(separator: "-")).1") || words.isEmpty)
    }
    #expect(try Self.plain(Self.page(["predict"], in: folder)).contains("bandolier-predictors(1)"))
  }

  @Test("pages are the same in every locale and time zone, and their text is no macro")
  func bytes() throws {
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    try Self.write(first)
    try Self.write(
      second, environment: ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "COLUMNS": "40"])
    let macros: Set = ["TH", "nr", "nh", "ad", "SH", "SY", "YS", "PP", "br", "TP", "EX", "EE"]
    for words in Self.verbs {
      let page = try Self.page(words, in: first)
      #expect(page == (try Self.page(words, in: second)), "\(words)")
      #expect(page.utf8.allSatisfy { $0 < 0x80 }, "\(words)")
      for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        #expect(macros.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
      }
    }
  }

  @Test("pages are replaced only with --force")
  func force() throws {
    let folder = try TemporaryFolder()
    try Self.write(folder)
    let again = ["manual", "-o", folder.path("man1")]
    expectFailure(try Command.run(again), 73, says: "bandolier.1", "--force")
    expectDone(try Command.run(again + ["--force"]))
    expectFailure(
      try Command.run(["manual", "-o", folder.path("no/man1")]), 73, says: "no/man1", "created")
  }

  @Test(
    "groff and mandoc have nothing to warn of",
    arguments: [("groff", ["-man", "-ww", "-z"]), ("mandoc", ["-T", "lint", "-W", "warning"])])
  func warnings(program: String, options: [String]) throws {
    guard Program.isInstalled(program) else {
      try Test.cancel("\(program) is not installed")
    }
    let folder = try TemporaryFolder()
    try Self.write(folder)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("man1")).sorted()
    let result = try Program.run(program, options + pages, directory: folder.path("man1"))
    #expect(result.text + result.messages == "")
    #expect(result.exitCode == 0)
  }
}
