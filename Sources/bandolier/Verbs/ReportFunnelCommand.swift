import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

struct ReportFunnelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "funnel",
    abstract: "How many units of each variant came how far on a way of steps.",
    usage: "bandolier report funnel <log or database> --steps <goals>\n  [<options>]",
    discussion: """
      A step is a goal of the experiment or a conversion, by its name. Step 0 is the first exposure; each \
      step is the first such event after the step before. The median of the time between them is exact; \
      it takes 8 bytes of memory for each unit and step.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "The steps, with commas between them, such as view,cart,purchase.", valueName: "goals"))
  var steps: String

  @Option(
    help: ArgumentHelp(
      "How long after the first exposure steps count: 7d, 12h, 30min, 90s or none.",
      valueName: "duration"))
  var window: WindowArgument?

  @Flag(help: "Steps may come one after the other only, or in any order.")
  var order: StepOrder = .ordered

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  private var stepNames: [String] {
    steps.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  func validate() throws {
    guard stepNames.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("--steps has an empty name; give goals such as view,cart,purchase")
    }
    guard order == .ordered || Set(stepNames).count == stepNames.count else {
      throw ValidationError("--steps names a goal twice, which --any-order cannot tell apart")
    }
  }

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants, .goals]) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let projector = FunnelProjector(
      steps: try stepNames.map { try source.lookup.code(of: $0, in: .goals) },
      window: window?.microseconds,
      order: order == .ordered ? .ordered : .any, crossing: crossing.crossing)
    let tallies = try source.run(units: projector)
    var table = try FunnelReport.table(
      tallies, of: projector, steps: stepNames, names: source.names, dimension: replay.by,
      level: coverage.level)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

/// The order of steps, as flags.
enum StepOrder: String, EnumerableFlag {
  case ordered
  case anyOrder
}

extension ReportFunnelCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier report funnel datasets/storefront.log \
      --experiment recommendations --steps click,add-to-cart
    """#,
    #"""
    bandolier report funnel datasets/storefront.log \
      --steps click,purchase --any-order --window 14d
    """#,
  ]
}
