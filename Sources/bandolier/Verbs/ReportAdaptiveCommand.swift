public import ArgumentParser
import EventLog
import Replay
public import Reports

extension AdaptiveAllocation: ExpressibleByArgument {}

struct ReportAdaptiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adaptive",
    abstract: "Mean rewards of variants where a policy learned from the rewards.",
    usage: "bandolier report adaptive <log> [<options>]",
    discussion: """
      Where a bandit chose, the plain mean of a variant is biased and its interval does not cover. The adaptively \
      weighted mean loses that bias as decisions become many, and its interval covers; it needs the choices of every decision and a probability \
      for each. Rewards are those of `report rewards`. `bandolier explain adaptive` has the formulas.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "How much each decision counts: uniform, constant-allocation or two-point.",
      valueName: "which"))
  var weighting: AdaptiveAllocation = .constant

  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (the first by name).", valueName: "variant"))
  var baseline: String?

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants]) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    if let baseline, source.names.code(of: baseline, in: .variants) == nil {
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log) has no variant \"\(baseline)\"; `bandolier report rewards \(log.log)` lists what it has"
      )
    }
    let plan = AdaptivePlan(
      rules.attribution(rule: credit.attribution, standardWindow: nil), allocation: weighting,
      baseline: baseline, level: coverage.level)
    let streams = try source.adaptiveStreams(plan.attribution)
    var table = try AdaptiveReport.table(
      streams, names: source.names, plan: plan, dimension: replay.by)
    table.note(lossesOf: source)
    try output.write(table)
  }
}
