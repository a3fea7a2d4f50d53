import Foundation
import Testing

/// What can be checked of the house by reading it.
@Suite("The house is tidy")
struct TidyTests {
  struct Source {
    var path: String
    var lines: [String]

    /// The target it belongs to: the second part of `Sources/TARGET/...`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static func swiftFiles(in folder: String) throws -> [Source] {
    let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.allObjects ?? []
    return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
      let text = try String(contentsOfFile: "\(root)/\(folder)/\($0)", encoding: .utf8)
      return Source(path: "\(folder)/\($0)", lines: text.components(separatedBy: "\n"))
    }
  }

  /// README.md and the pages of the DocC catalogues.
  private static func documentation() throws -> String {
    let names = FileManager.default.enumerator(atPath: root + "/Sources")?.allObjects ?? []
    let pages = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.sorted()
    return try (["README.md"] + pages.map { "Sources/" + $0 }).map {
      try String(contentsOfFile: root + "/" + $0, encoding: .utf8)
    }.joined(separator: "\n")
  }

  /// What each target may import, from the bottom up: an arrow only ever points down.
  private static let floors: [(target: String, mayImport: Set<String>)] = [
    ("CZlib", []), ("CChecksum", []), ("Threads", ["Glibc"]), ("Events", []),
    ("EventLog", ["Events", "Threads", "CZlib", "CChecksum", "Glibc", "Synchronization"]),
    ("Statistics", []), ("Bandits", ["Statistics"]), ("Prediction", ["Statistics"]),
    ("DecidingCore", ["Events", "Statistics", "Threads", "FoundationEssentials", "Glibc"]),
    ("DecidingAgents", ["Bandits", "DecidingCore", "Events", "Statistics", "Threads"]),
    ("DecidingConfig", ["DecidingCore", "Events", "Threads"]),
    ("DecidingExperiments", ["Bandits", "DecidingCore", "Events", "Threads"]),
    ("DecidingRollouts", ["DecidingCore", "Events", "Threads"]),
    ("DecidingStudies", ["DecidingCore", "Events", "Prediction", "Threads"]),
    (
      "Deciding",
      [
        "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments",
        "DecidingRollouts", "DecidingStudies",
      ]
    ),
    ("Scenarios", ["Events", "Statistics"]),
    ("Replay", ["Bandits", "Events", "EventLog", "Prediction", "Statistics", "Threads"]),
    ("Interchange", ["Events", "EventLog", "Glibc", "Statistics"]),
    ("Tables", ["Statistics", "Glibc"]),
    ("Reports", ["Events", "EventLog", "Prediction", "Replay", "Statistics", "Tables"]),
    (
      "Projections",
      [
        "EventLog", "Replay", "Reports", "Statistics", "Tables", "Threads", "GRDB", "GRDBSQLite",
        "Glibc",
      ]
    ),
    (
      "Simulations",
      ["Bandits", "CChecksum", "Events", "Statistics", "Tables", "Threads", "Yams", "Glibc"]
    ),
    (
      "Benchmarks",
      [
        "Bandits", "Deciding", "EventLog", "Events", "Prediction", "Replay", "Simulations",
        "Statistics", "Tables", "Threads", "ArgumentParser", "Glibc",
      ]
    ),
    (
      "bandolier",
      [
        "Bandits", "Deciding", "DecidingAgents", "DecidingConfig", "DecidingCore",
        "DecidingExperiments", "DecidingRollouts", "DecidingStudies", "Events", "EventLog",
        "Interchange", "Prediction", "Projections", "Replay", "Reports", "Scenarios", "Simulations",
        "Statistics", "Tables", "Threads", "ArgumentParser", "Glibc", "Synchronization",
      ]
    ),
  ]

  @Test(
    "the page on the architecture has every target, what it may import of ours, and nothing else")
  func architecture() throws {
    let page = try String(
      contentsOfFile: Self.root + "/Sources/Events/Events.docc/Architecture.md", encoding: .utf8)
    let targets = Set(Self.floors.map(\.target))
    var rows: [String: Set<String>] = [:]
    for match in page.matches(of: /\n\| `(\w+)` \|[^|\n]*\|([^|\n]*)\|(?=\n)/) {
      let imports = match.output.2.matches(of: /`(\w+)`/).map { String($0.output.1) }
      rows[String(match.output.1)] = Set(imports).intersection(targets)
    }
    let expected = Self.floors.map { ($0.target, $0.mayImport.intersection(targets)) }
    #expect(rows == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("every import points down")
  func arrows() throws {
    let allowed = Dictionary(uniqueKeysWithValues: Self.floors.map { ($0.target, $0.mayImport) })
    let imports = try Regex(
      #"^\s*(?:@testable |@_exported |public |package |internal )*import (\w+)"#)
    for source in try Self.swiftFiles(in: "Sources") {
      let mayImport = try #require(allowed[source.target], "\(source.target) has no floor")
      for line in source.lines {
        guard let match = try imports.firstMatch(in: line), let name = match[1].substring else {
          continue
        }
        #expect(mayImport.contains(String(name)), "\(source.path) imports \(name)")
      }
    }
  }

  @Test(
    "zlib and Foundation's essentials are talked to by one file each, and no source needs the rest")
  func confined() throws {
    let sources = try Self.swiftFiles(in: "Sources")
    let zlib = sources.filter { $0.lines.contains { $0.hasSuffix("import CZlib") } }
    #expect(zlib.map(\.path) == ["Sources/EventLog/Zlib.swift"])
    let essentials = sources.filter { $0.lines.contains { $0.contains("import Foundation") } }
    #expect(essentials.map(\.path) == ["Sources/DecidingCore/PropertyList.swift"])
    for line in essentials.flatMap(\.lines) where line.contains("import Foundation") {
      #expect(line == "internal import FoundationEssentials")
    }
  }

  /// The C library's exp, log and the like differ in last digits from platform to platform, and between processors with
  /// and without fused multiply-add; what can reach an output comes from Sources/Statistics/Elementary.
  @Test("no source calls the platform's elementary functions")
  func elementary() throws {
    let angles = ["sin", "cos", "tan"].flatMap { [$0, "a\($0)", "\($0)h", "a\($0)h"] } + ["atan2"]
    let exponents = ["exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "logb"]
    let others = ["pow", "cbrt", "hypot", "erf", "erfc", "gamma", "lgamma", "tgamma", "lgamma_r"]
    let names = Set((angles + exponents + others).flatMap { [$0, "\($0)f", "\($0)l"] })
    // Other modules are kept out by the test of the arrows; imports stand at the head of a file.
    let sources = try Self.swiftFiles(in: "Sources").filter {
      $0.lines.prefix(20).contains {
        $0.hasSuffix("import Glibc") || $0.contains("import Foundation")
      }
    }
    #expect(sources.count > 20)
    for source in sources {
      for line in source.lines where Self.calls(names, in: line) {
        Issue.record("\(source.path): \(line)")
      }
    }
  }

  /// Whether a line calls one of some functions by its bare name, or by that of its module.
  private static func calls(_ names: Set<String>, in line: String) -> Bool {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return false }
    return line.split(separator: "(", omittingEmptySubsequences: false).dropLast().contains {
      part in
      let name = String(
        part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
      guard names.contains(name) else { return false }
      let before = part.dropLast(name.count)
      if before.hasSuffix("Glibc.") || before.hasSuffix("FoundationEssentials.") { return true }
      return !before.hasSuffix(".") && !before.hasSuffix("func ")
    }
  }

  @Test("calls of the platform's functions are told from others")
  func elementaryCalls() {
    let names: Set = ["exp", "logf"]
    for line in ["let x = exp(1)", "exp(1)", "  -Glibc.exp(y)", "f(logf(2))", "[exp(1) + a(b)]"] {
      #expect(Self.calls(names, in: line))
    }
    for line in ["Double.exp(1)", "func exp(", "// exp(1)", "regexp(1)", "exp + (1)", ".exp(1)"] {
      #expect(!Self.calls(names, in: line))
    }
  }

  @Test("no file is too long to be read in one go", arguments: ["Sources", "Tests"])
  func lengths(folder: String) throws {
    for source in try Self.swiftFiles(in: folder) {
      #expect(source.lines.count <= 500, "\(source.path) has \(source.lines.count) lines")
    }
  }

  @Test("nothing traps on data, and nothing is left for later")
  func banned() throws {
    let words = [
      "try" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME", "@unchecked " + "Sendable",
      "implicitly" + "Unwrapped",
    ]
    for source in try Self.swiftFiles(in: "Sources") {
      for (number, line) in source.lines.enumerated() {
        for word in words where line.contains(word) {
          Issue.record("\(source.path):\(number + 1) has \(word)")
        }
      }
    }
  }

  @Test("every use of unsafe code stands near a line that says why it is safe")
  func safety() throws {
    let mentions = try Regex(#"\bunsafe\b"#)
    for source in try Self.swiftFiles(in: "Sources") {
      let code = source.lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      let uses = try code.filter { try mentions.firstMatch(in: $0) != nil }
      guard !uses.isEmpty, source.target != "Benchmarks" else { continue }
      #expect(source.lines.contains { $0.contains("// Safety:") }, "\(source.path)")
    }
  }

  @Test("the documentation names every verb as a command")
  func verbs() throws {
    let documentation = try Self.documentation()
    let names = try Regex(#"commandName: "([a-z-]+)""#)
    for source in try Self.swiftFiles(in: "Sources/bandolier/Verbs") {
      for line in source.lines {
        guard let match = try names.firstMatch(in: line), let verb = match[1].substring else {
          continue
        }
        #expect(
          documentation.contains("`\(verb)`") || documentation.contains(" \(verb) "),
          "\(verb) of \(source.path)")
      }
    }
  }

  @Test(
    "every target of the Makefile that the documentation names is there, and make help lists it")
  func makeTargets() throws {
    let makefile = try String(contentsOfFile: Self.root + "/Makefile", encoding: .utf8)
    let documentation = try Self.documentation()
    let named = Set(documentation.matches(of: /`make ([a-z-]+)/).map { String($0.output.1) })
    #expect(named.isSuperset(of: ["build", "bench", "docs", "help", "peers"]))
    for target in named.union(["demo", "test", "lint", "datasets"]) {
      #expect(makefile.contains("\n\(target):"), "make \(target)")
      #expect(
        makefile.contains(try Regex("\n\(target):.*## ")), "make help does not list \(target)")
    }
  }

  @Test("the visible top level is what the design says")
  func topLevel() throws {
    let visible = try FileManager.default.contentsOfDirectory(atPath: Self.root).filter {
      !$0.hasPrefix(".") && $0 != "Package.resolved"
    }
    #expect(
      Set(visible) == [
        "Package.swift", "Sources", "Tests", "datasets", "notebooks-out", "Makefile", "README.md",
        "LICENSE",
      ])
  }
}
