import Foundation
import TestSupport
import Testing

/// The commands of README.md and of the pages of the DocC catalogues: those of a page are run in the order in which they
/// are printed, in one folder that is empty but for the repository's data and the reader's own exports.
@Suite("Commands of the documentation")
struct PageCommandTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// A command, and the lines that are printed below it.
  private struct Step {
    var command: String
    var printed: [String] = []
  }

  private static func steps(_ text: String) -> [Step] {
    codeBlocks(text).flatMap { block -> [Step] in
      let hasPrompts = block.contains { $0.hasPrefix("$ ") }
      var steps: [Step] = []
      var goesOn = false
      for line in block {
        let isCommand =
          hasPrompts
          ? line.hasPrefix("$ ")
          : ["bandolier ", "sqlite3 "].contains { line.hasPrefix($0) }
        if goesOn, !steps.isEmpty {
          steps[steps.count - 1].command += "\n" + line
        } else if isCommand {
          steps.append(Step(command: hasPrompts ? String(line.dropFirst(2)) : line))
        } else if hasPrompts, !steps.isEmpty {
          steps[steps.count - 1].printed.append(line)
        }
        goesOn = (goesOn || isCommand) && line.hasSuffix("\\")
      }
      return steps
    }
  }

  /// README.md and the pages that print commands, as paths in the repository.
  private static let pages: [String] = {
    let names = FileManager.default.enumerator(atPath: root + "/Sources")?.allObjects ?? []
    let articles = names.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".md") && $0.contains(".docc/")
    }
    return ["README.md"]
      + articles.sorted().map { "Sources/" + $0 }.filter { path in
        (try? !steps(text(path)).isEmpty) ?? true
      }
  }()

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  /// The same question of less data: what is said must hold for any number.
  private static let smaller = [
    ("--events 1000000", "--events 2000"), ("--events 50000", "--events 2000"),
    ("--runs 200", "--runs 2"), ("runs: 200", "runs: 4"), ("horizon: 10000", "horizon: 500"),
    ("--horizon 5000", "--horizon 500"),
  ]

  private static func reduced(_ text: String) -> String {
    smaller.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  @Test("the verbs that need examples have them on some page")
  func complete() throws {
    #expect(Self.pages.count > 8, "pages have lost their commands, or they are written otherwise")
    let commands = try Self.pages.flatMap { try Self.steps(Self.text($0)).map(\.command) }
    #expect(commands.count > 80)
    for verb in [
      "import", "append", "export", "formats", "log info", "log verify", "log cat", "log repair",
      "log compact", "log erase", "log merge", "log split", "generate", "report rewards",
      "report compare", "report health", "report predictions", "explain", "replay", "simulate",
      "policies", "environments", "predictors", "decide", "goal", "convert", "data", "expire",
      "predict", "evaluate", "learn",
    ] {
      #expect(commands.contains { $0.contains("bandolier \(verb)") }, "\(verb)")
    }
  }

  @Test(
    "every command succeeds where it is printed, and prints what is printed below it",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"),
    arguments: pages)
  func commands(page: String) throws {
    let text = try Self.text(page)
    let folder = try TemporaryFolder()
    try prepare(folder, text)
    for step in Self.steps(text) where !Self.needsService(step.command) {
      let result = try run(Self.reduced(step.command), in: folder)
      // Nobody appends what is waited for.
      let isEndless = step.command.contains("--follow")
      #expect(result.exitCode == (isEndless ? 124 : 0), "\(step.command)\n\(result.messages)")
      expect(step, result)
    }
  }

  @Test(
    "make demo imports the repository's data, writes every report of it, and says which page to open"
  )
  func demo() throws {
    let folder = try TemporaryFolder()
    // The command is built already, and what the demo writes goes elsewhere.
    let make = try RunningCommand(
      "/usr/bin/env",
      [
        "make", "-o", "build", "demo", "BANDOLIER=\(Command.path)", "DEMO=\(folder.path("demo"))",
        "OPEN_BANDIT=\(folder.path("none"))",
      ],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path],
      // All reports of 50,000 events, beside the other tests.
      directory: Self.root, patience: 240)
    let result = try make.finish()
    expectDone(result)
    #expect(result.lines.last == "open \(folder.path("demo/storefront/report.html"))")
    let decisions = try String(
      contentsOfFile: folder.path("demo/storefront/decisions.csv"), encoding: .utf8)
    for said in [
      "free-shipping,ship,", "one-click,roll back,", "discount-10,keep running,", "redesign,not valid,", "large,stop,",
    ] {
      #expect(decisions.contains(said), "\(said)")
    }
  }

  @Test("the example of rewards is that of the repository's log")
  func example() throws {
    let result = try Command.run("report rewards \(Self.root)/datasets/storefront.log --format csv")
    let example = try String(contentsOfFile: Self.root + "/notebooks-out/example/rewards.csv", encoding: .utf8)
    #expect(result.text == example)
  }

  /// Whether a command starts the service, changes its keys or sends requests to it; these are tested in Tests/Serve, because the service
  /// is a program of another build.
  private static func needsService(_ command: String) -> Bool {
    ["bandolier serve", "bandolier keys", "make serve", "http://127.0.0.1"].contains {
      command.contains($0)
    }
  }

  /// What is printed below a command begins lines of its output, up to where something is left out.
  private func expect(_ step: Step, _ result: CommandResult) {
    let lines = (result.text + result.messages).components(separatedBy: "\n")
    for printed in step.printed.prefix(while: { !$0.contains("...") }) where !printed.isEmpty {
      #expect(
        lines.contains { $0.hasPrefix(printed) },
        "\(step.command)\nprints no \(printed)\nbut \(result.text.prefix(1_000))\(result.messages)")
    }
  }

  private func run(_ command: String, in folder: TemporaryFolder) throws -> CommandResult {
    // `--self-test` has a test of its own, and takes its time. Parquet is tested where its libraries are installed.
    if command.contains("--self-test") || command.contains("parquet")
      || command.hasPrefix("sqlite3 ") && !Self.hasSQLite
    {
      return CommandResult(exitCode: 0, output: [], errors: [])
    }
    let limit = command.contains("--follow") ? "timeout 2 " : ""
    let shell = try RunningCommand(
      "/bin/sh", ["-c", limit + command],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path],
      directory: folder.path)
    let result = try shell.finish()
    // The other machines make their part at the same time.
    if command.contains("--shard 1/4") {
      for part in 2...4 {
        let words = command.replacing("part1", with: "part\(part)").replacing(
          "--shard 1/4", with: "--shard \(part)/4")
        #expect(try run(words, in: folder).exitCode == 0)
      }
    }
    return result
  }

  private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  /// What pages take for given: the command on the path, the repository's data, exports of other systems, and the plan
  /// that is printed as YAML.
  private func prepare(_ folder: TemporaryFolder, _ text: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("bin/bandolier"), withDestinationPath: Command.path)
    try files.createSymbolicLink(
      atPath: folder.path("datasets"), withDestinationPath: Self.root + "/datasets")
    _ = try folder.write(
      Gzip.member(Array(Samples.openBandit([(1, 3, 0), (2, 4, 1)]).utf8)), "men.csv.gz")
    _ = try folder.write(
      Files.bytes(Self.root + "/Tests/CommandTests/Samples/Arrow/visits.arrow"), "visits.arrow")
    _ = try folder.write(Samples.decisions(0..<5).text + "no event\n", "events.jsonl")
    _ = try folder.write(
      Gzip.member(Array(Samples.decisions(5..<9).text.utf8)), "more.jsonl.gz")
    if let plan = codeBlocks(text, "yaml").first {
      _ = try folder.write(Self.reduced(plan.joined(separator: "\n")), "plan.yaml")
    }
  }
}
