import Foundation
import TestSupport
import Testing

@Suite("Lists of what there is, and pages about it")
struct ListingTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static let verbs = ["policies", "environments", "estimators", "predictors", "formats"]

  private static func names(_ verb: String) throws -> [String] {
    let lines = try Command.run("\(verb) --format csv").lines.dropFirst()
    return Set(lines.compactMap { $0.split(separator: ",").first.map(String.init) }).sorted()
  }

  /// Every entry of a list whose examples run; the only format of the repository's own data is JSON Lines.
  private static let entries: [(verb: String, name: String)] = verbs.flatMap { verb in
    ((try? names(verb)) ?? []).filter { verb != "formats" || $0 == "jsonl" }.map { (verb, $0) }
  }

  @Test("a list has each entry in one line, below its family", arguments: verbs)
  func lists(verb: String) throws {
    let result = try Command.run("\(verb) --format table")
    expectDone(result)
    let lines = result.text.components(separatedBy: "\n")
    #expect(lines[0].wholeMatch(of: /[A-Z][A-Z ]+/) != nil, "\(lines[0])")
    let listed = lines.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }
    #expect(try listed.map(String.init).sorted() == Self.names(verb))
    #expect(result.text.contains("`bandolier \(verb) NAME`"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("a page has the family, the source, every parameter with its range and default, and an example")
  func pages() throws {
    let page = try Command.run("policies epsilon-greedy --format table")
    expectDone(page)
    for part in [
      "epsilon-greedy: ", "family   basic", "Sutton and Barto 2018", "PARAMETERS:\n  epsilon  ",
      "0 to 1", "(default: 0.1)",
      "EXAMPLE:\n  bandolier simulate -p epsilon-greedy:epsilon=0.1 \\\n    -e log:path=datasets/",
    ] { #expect(page.text.contains(part), "\(part) is not in\n\(page.text)") }
    #expect(try Command.run("policies epsilon-greedy:epsilon=1 --format table").text == page.text)
    let csv = try Command.run("policies epsilon-greedy --format csv")
    #expect(csv.lines.count == 2 && csv.lines[1].hasPrefix("epsilon-greedy,epsilon,0.1,0 to 1,"))
    let format = try Command.run("formats obd --format table").text
    #expect(format.contains("export   yes") && format.contains("--format obd"))
  }

  @Test(
    "unknown names get the nearest one",
    arguments: [
      ("policies thomson", "unknown policy \"thomson\"; did you mean \"thompson\"?"),
      ("environments bernouli", "did you mean \"bernoulli\"?"),
      ("estimators snip", "did you mean \"snips\"?"), ("formats jsnl", "did you mean \"jsonl\"?"),
      ("predictors markow", "did you mean \"markov\"?"),
    ])
  func unknown(words: String, message: String) throws {
    expectFailure(try Command.run(words), 64, says: message)
  }

  @Test(
    "the example of every page runs as it is printed",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"), arguments: entries)
  func example(verb: String, name: String) throws {
    let page = try Command.run([verb, name, "--format", "table"]).text
    let example = page.components(separatedBy: "\nEXAMPLE:\n").dropFirst().joined()
      .split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
    #expect(example.contains("bandolier "), "\(page)")
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("bin/bandolier"), withDestinationPath: Command.path)
    try files.createSymbolicLink(
      atPath: folder.path("datasets"), withDestinationPath: Self.root + "/datasets")
    // Fewer decisions, to be quick: nothing else changes.
    let shorter = example.replacing("--horizon 1000 --runs 20", with: "--horizon 200 --runs 2")
    let shell = try RunningCommand(
      "/bin/sh", ["-ec", shorter],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path],
      directory: folder.path)
    let result = try shell.finish()
    #expect(result.exitCode == 0, "\(example)\n\(result.messages)")
  }
}
