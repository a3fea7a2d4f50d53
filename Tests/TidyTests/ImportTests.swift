import Testing

/// The modules import one another only downwards, and few files talk to other libraries.
@Suite("Imports")
struct ImportTests {
  /// What each target may import, from the bottom up: an arrow only ever points down.
  private static let floors: [(target: String, mayImport: Set<String>)] = [
    ("CZlib", []), ("CSQLite", []), ("CYAML", []), ("CChecksum", []), ("CElementary", []), ("CSquareRoot", []),
    ("CCommit", []), ("CMemory", []),
    ("Platform", ["CMemory", "Darwin", "Glibc", "Musl"]),
    ("Specifications", []), ("YAML", ["CYAML"]), ("Threads", ["Platform"]),
    ("Arrow", []),
    ("Events", ["Specifications"]),
    (
      "EventLog",
      [
        "Events", "Specifications", "Threads", "CZlib", "CChecksum", "CMemory", "Platform",
        "Synchronization",
      ]
    ),
    ("Statistics", ["CElementary", "Specifications", "Synchronization"]),
    ("Bandits", ["CSquareRoot", "Specifications", "Statistics"]),
    ("Prediction", ["Specifications", "Statistics"]),
    (
      "DecidingCore",
      ["Events", "Specifications", "Statistics", "Threads", "FoundationEssentials", "Platform"]
    ),
    (
      "DecidingAgents",
      ["Bandits", "DecidingCore", "Events", "Specifications", "Statistics", "Threads"]
    ),
    ("DecidingConfig", ["DecidingCore", "Events", "Specifications", "Threads"]),
    (
      "DecidingExperiments", ["Bandits", "DecidingCore", "Events", "Specifications", "Threads"]
    ),
    ("DecidingRollouts", ["DecidingCore", "Events", "Specifications", "Threads"]),
    (
      "DecidingStudies", ["DecidingCore", "Events", "Prediction", "Specifications", "Threads"]
    ),
    (
      "Deciding",
      [
        "Bandits", "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments",
        "DecidingRollouts", "DecidingStudies", "Events", "Specifications",
      ]
    ),
    (
      "DecidingOverHTTP",
      [
        "DecidingAgents", "DecidingConfig", "DecidingCore", "DecidingExperiments", "Events",
        "Specifications", "Threads", "Foundation", "FoundationNetworking",
      ]
    ),
    ("Scenarios", ["Events", "Specifications", "Statistics"]),
    (
      "Replay",
      [
        "Events", "EventLog", "Platform", "Prediction", "Specifications", "Statistics", "Threads",
      ]
    ),
    (
      "OffPolicy",
      [
        "Bandits", "Events", "EventLog", "Replay", "Specifications", "Statistics", "Threads",
      ]
    ),
    (
      "Interchange",
      ["Arrow", "CMemory", "Events", "EventLog", "Platform", "Specifications", "Statistics", "Threads"]
    ),
    ("Plots", ["Specifications", "Statistics"]),
    ("Tables", ["Specifications", "Statistics", "Platform"]),
    (
      "Reports",
      [
        "Bandits", "Events", "EventLog", "OffPolicy", "Plots", "Prediction", "Replay",
        "Specifications", "Statistics", "Tables", "YAML",
      ]
    ),
    (
      "Projections",
      [
        "CSQLite", "EventLog", "Events", "Platform", "Replay", "Reports", "Specifications",
        "Statistics", "Tables", "Threads",
      ]
    ),
    (
      "Simulations",
      [
        "Bandits", "CChecksum", "Events", "Plots", "Specifications", "Statistics", "Tables",
        "Threads", "YAML",
        "Platform",
      ]
    ),
    (
      "Service",
      [
        "Bandits", "DecidingAgents", "DecidingCore", "DecidingExperiments", "DecidingRollouts",
        "EventLog", "Events", "Platform", "Interchange",
        "Prediction", "Replay", "Reports", "Specifications", "Statistics", "Synchronization",
        "Tables", "Threads",
      ]
    ),
    (
      "bandolier-serve",
      [
        "ArgumentParser", "Deciding", "DecidingAgents", "DecidingCore", "DecidingExperiments",
        "DecidingRollouts", "Events", "HTTPTypes", "HummingbirdCore", "HummingbirdTLS",
        "Interchange", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1",
        "NIOPosix", "NIOSSL", "OffPolicy", "Platform", "Replay", "Service", "ServiceLifecycle",
        "Specifications", "Tables", "Threads",
      ]
    ),
    (
      "Benchmarks",
      [
        "Bandits", "Deciding", "EventLog", "Events", "Prediction", "Replay", "Simulations",
        "Specifications", "Statistics", "Tables", "Threads", "ArgumentParser", "Platform",
      ]
    ),
    (
      "bandolier",
      [
        "Bandits", "CCommit", "Deciding", "DecidingAgents", "DecidingConfig", "DecidingCore",
        "DecidingExperiments", "DecidingRollouts", "DecidingStudies", "Events", "EventLog",
        "Interchange", "OffPolicy", "Prediction", "Projections", "Replay", "Reports", "Scenarios",
        "Simulations", "Specifications", "Statistics", "Tables", "Threads", "ArgumentParser",
        "Platform",
        "Synchronization", "YAML",
      ]
    ),
  ]

  @Test(
    "the page on the architecture has every target, what it may import of ours, and nothing else")
  func architecture() throws {
    let page = try Repository.text("Sources/Events/Events.docc/Architecture.md")
    let targets = Set(Self.floors.map(\.target))
    var rows: [String: Set<String>] = [:]
    for match in page.matches(of: /\n\| `([\w-]+)` \|[^|\n]*\|([^|\n]*)\|(?=\n)/) {
      let imports = match.output.2.matches(of: /`(\w+)`/).map { String($0.output.1) }
      rows[String(match.output.1)] = Set(imports).intersection(targets)
    }
    let expected = Self.floors.map { ($0.target, $0.mayImport.intersection(targets)) }
    #expect(rows == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("every folder of the sources is a target with a floor, and every floor is there")
  func folders() throws {
    // The Python package is no target; see ``PythonTests``.
    let targets = try Repository.entries(of: "Sources").subtracting(["Python"])
    #expect(targets == Set(Self.floors.map(\.target)))
  }

  @Test("every import points down")
  func arrows() throws {
    let allowed = Dictionary(uniqueKeysWithValues: Self.floors.map { ($0.target, $0.mayImport) })
    let imports = try Regex(
      #"^\s*(?:@\S+ +|public +|package +|internal +|private +|fileprivate +)*import +(\w+)"#)
    for source in try SourceFile.all(in: "Sources") {
      let mayImport = try #require(allowed[source.target], "\(source.target) has no floor")
      // Programs of other languages are texts of several lines.
      var isText = false
      for line in source.lines {
        if line.ranges(of: "\"\"\"").count == 1 { isText.toggle() }
        guard !isText, let match = try imports.firstMatch(in: line),
          let name = match[1].substring
        else { continue }
        #expect(mayImport.contains(String(name)), "\(source.path) imports \(name)")
      }
    }
  }

  @Test(
    "zlib and Foundation's essentials are talked to by one file each, SQLite by one folder, and only HTTP needs the rest"
  )
  func confined() throws {
    let sources = try SourceFile.all(in: "Sources")
    let zlib = sources.filter { $0.lines.contains { $0.hasSuffix("import CZlib") } }
    #expect(zlib.map(\.path) == ["Sources/EventLog/Zlib.swift"])
    let sqlite = sources.filter { $0.lines.contains { $0.hasSuffix("import CSQLite") } }
    #expect(!sqlite.isEmpty)
    for source in sqlite { #expect(source.path.hasPrefix("Sources/Projections/SQL/")) }
    let essentials = sources.filter { source in
      source.target != "DecidingOverHTTP"
        && source.lines.contains { $0.contains("import Foundation") }
    }
    #expect(essentials.map(\.path) == ["Sources/DecidingCore/PropertyList.swift"])
    for line in essentials.flatMap(\.lines) where line.contains("import Foundation") {
      #expect(line == "internal import FoundationEssentials")
    }
  }
}
