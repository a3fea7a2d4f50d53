import ArgumentParser
import Bandits
import EventLog
import Events
import Platform
import Replay
import Reports
import Specifications
import Statistics
import Tables

struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn", abstract: LearningReport.abstract,
    usage: "bandolier learn <log> --policy-class <class> [<options>]",
    discussion: """
      Learns from the earlier decisions of a log which policy would earn most, and judges it on the later ones, next \
      to the mean reward of the log and equal probabilities. Decisions need a propensity; rewards are those of \
      `report rewards`.

      Options that are given more than once make a grid: each class with each objective, penalty and list of features. \
      The candidates are judged by cross-validation on the earlier decisions, all in the same passes, and the one with \
      the greatest value is chosen. The file can be given to \
      `evaluate --policy learned:path=policy.json`, to `simulate -p learned:path=policy.json`, and as the policy of an \
      agent to `decide --config`.
      """)

  @OptionGroup var log: LogArgument
  @OptionGroup var replay: ReplayOptions<LearningReport>
  @OptionGroup var options: DeclaredOptions<LearningReport>
  @OptionGroup(.output) var written: LearningOutputOptions
  @OptionGroup(.output) var columns: ColumnOptions

  func validate() throws { try replay.check(for: report()) }

  func run() throws {
    let report = try report()
    try replay.reading(log, for: report, refusing: []) { source, _ in
      let result = try options.reading { _ in try report.finished(source) }
      for (path, text) in result.files { try write(text, to: path) }
      let isTerminal = Terminal.isTerminal(STDOUT_FILENO)
      let format = written.format ?? .usual(onTerminal: isTerminal)
      let options = TerminalEnvironment.options(isTerminal: isTerminal, detail: columns.detail)
      let table = try columns.chosen(from: result.table, for: format)
      try StandardOutput().append(Tables.write(table, as: format, options: options))
    }
  }

  private func report() throws -> LearningReport {
    var report = try options.reading(in: replay.timeZone) { try $0.report(LearningReport.self) }
    report.path = written.output
    return report
  }

  private func write(_ text: String, to path: String) throws {
    let file = try AtomicFile(path: path, force: written.force)
    do {
      try file.append(Array(text.utf8))
      try file.commit()
    } catch {
      file.abandon()
      throw error
    }
    Message.print("wrote \(path)")
  }
}

/// The options of what `learn` writes.
struct LearningOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the learned policy to a file as JSON, atomically.", valueName: "policy.json"),
    completion: .file(extensions: ["json"]))
  var output: String?

  @Flag(name: .long, help: "Replace the file if it exists.")
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Format of the table (default: table on a terminal, otherwise csv).", valueName: "format"))
  var format: TableFormat?
}

extension LearnCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier learn datasets/storefront.log \
      --experiment homepage --policy-class tabular \
      -o policy.json
    """#,
    #"""
    bandolier learn datasets/storefront.log \
      --experiment homepage --objective dr --objective snips \
      --policy-class tabular --policy-class tree:depth=2 \
      --features 'one-hot(slot)+one-hot(device)'
    """#,
    #"""
    bandolier evaluate datasets/storefront.log \
      --experiment homepage --policy learned:path=policy.json
    """#,
  ]
}
