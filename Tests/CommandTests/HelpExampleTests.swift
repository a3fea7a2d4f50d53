import Foundation
import TestSupport
import Testing

/// The worked examples at the end of each verb's help, run in the order in which they are printed, in a folder that has
/// nothing but the repository's data.
@Suite("Examples of the help")
struct HelpExampleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static func examples(_ help: String) -> [String] {
    let lines = help.components(separatedBy: "\nEXAMPLES:\n").dropFirst().joined()
      .split(separator: "\n").map { String($0.dropFirst(2)) }
    return lines.reduce(into: []) { examples, line in
      if let last = examples.last, last.hasSuffix("\\") {
        examples[examples.count - 1] += "\n" + line
      } else {
        examples.append(line)
      }
    }
  }

  @Test("every verb is found")
  func complete() {
    #expect(Verbs.leaves.count > 35)
    #expect(Verbs.leaves.contains(["report", "rewards"]) && Verbs.leaves.contains(["log", "cat"]))
  }

  @Test(
    "the help of every verb ends with two or three examples that run",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"), arguments: Verbs.leaves)
  func run(verb: [String]) throws {
    let help = try Command.run(verb + ["--help"])
    let examples = Self.examples(help.text)
    let name = verb.joined(separator: " ")
    #expect((2...3).contains(examples.count), "\(name) has \(examples.count)")
    #expect(examples.contains { $0.contains("bandolier \(name)") }, "\(name)")
    // Examples are not wrapped, and must fit into a narrow terminal.
    for line in examples.joined(separator: "\n").split(separator: "\n") {
      #expect(line.count <= 62, "\(line)")
    }
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("bin/bandolier"), withDestinationPath: Command.path)
    try files.createSymbolicLink(
      atPath: folder.path("datasets"), withDestinationPath: Self.root + "/datasets")
    for example in examples {
      let shell = try RunningCommand(
        "/bin/sh", ["-c", example],
        environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path],
        directory: folder.path)
      let result = try shell.finish()
      #expect(result.exitCode == 0, "\(example)\n\(result.messages)")
    }
  }
}
