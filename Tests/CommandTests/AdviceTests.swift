import Foundation
import Testing

/// The commands that messages, help and documentation advise.
@Suite("Advice")
struct AdviceTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// What stands between backticks after `bandolier`, in sources and in the README.
  private static func advised() throws -> Set<String> {
    let names = FileManager.default.enumerator(atPath: root + "/Sources")?.allObjects ?? []
    let sources = names.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
    var found: Set<String> = []
    for path in sources.map({ "Sources/" + $0 }) + ["README.md"] {
      let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
      for part in text.components(separatedBy: "`bandolier ").dropFirst() {
        let words = part.prefix { $0 != "`" && $0 != "\n" }
        if words.first?.isLowercase == true, part.dropFirst(words.count).first == "`" {
          found.insert(String(words))
        }
      }
    }
    return found
  }

  @Test("every verb and option that is advised exists")
  func verbs() throws {
    let advised = try Self.advised()
    #expect(advised.count > 10)
    for words in advised.map({ $0.split(separator: " ").map(String.init) }) {
      // The words before what the reader fills in: `report rewards LOG`, `predict \(study)`.
      let verb = Array(words.prefix { $0.allSatisfy { $0.isLowercase } })
      let help = try Command.run(verb + ["--help"])
      #expect(help.exitCode == 0, "bandolier \(words.joined(separator: " "))")
      for option in words where option.hasPrefix("--") {
        #expect(help.text.contains(option), "\(verb.joined(separator: " ")) has no \(option)")
      }
    }
  }

  @Test("help names the defaults of lists and durations, which the parser cannot show")
  func defaults() throws {
    let defaults = [
      ("report quantiles", "0.5,0.9,0.99"), ("report retention", "1,3,7,14,28"),
      ("report predictions", "1,3,5"), ("report health", "14d"), ("report visits", "30m"),
      ("predict", "beauchamp"), ("generate", "studies:units=1000,options=5,order=2"),
      ("report conversions", "7d for conversions"),
    ]
    for (verb, value) in defaults {
      let help = try Command.run(
        verb.split(separator: " ").map(String.init) + ["--help"], environment: ["COLUMNS": "400"])
      #expect(help.text.contains(value), "\(verb) --help does not name \(value)")
    }
  }

  @Test(
    "reports that take a database say so, and the others do not",
    arguments: [
      ("rewards", true), ("compare", true), ("conversions", true), ("quantiles", true),
      ("regret", true), ("health", true), ("series", true), ("visits", true), ("funnel", true),
      ("retention", true), ("power", true), ("adaptive", false), ("predictions", false),
    ])
  func databases(report: String, takesDatabase: Bool) throws {
    let help = try Command.run(["report", report, "--help"], environment: ["COLUMNS": "400"])
    #expect(help.text.contains("<log or database>") == takesDatabase)
    guard !takesDatabase else { return }
    let replay = try Command.run(["replay", "--help"], environment: ["COLUMNS": "400"])
    #expect(replay.text.contains(report))
  }
}
