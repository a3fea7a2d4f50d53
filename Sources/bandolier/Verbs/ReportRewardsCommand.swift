public import ArgumentParser
import EventLog
import Projections
import Replay
public import Reports
import Tables

extension RewardReport.Per: ExpressibleByArgument {}

struct ReportRewardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewards",
    abstract: "What each variant earned, by experiment, point and slot.",
    usage: "bandolier report rewards <log or database> [<options>]",
    discussion: """
      A goal is credited, for each point and slot of its experiment, to the latest confirmed decision of \
      the same unit at or before it, by event time. A goal without a value counts 1. What did not count is \
      listed under the table, and under `notes` in JSON.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp("Mean, variance and interval over decision or unit.", valueName: "what"))
  var per: RewardReport.Per = .decision

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    let isReady = rules.isStandard(rule: credit.attribution)
    if let model = replay.readModel(log, where: isReady) {
      let kept = try model.rewards()
      let table = try RewardReport.table(
        kept.result, names: kept.names, per: per, level: coverage.level)
      return try output.write(table)
    }
    try replay.reading(log, names: [.points, .slots, .variants], end: rules.end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let attribution = rules.attribution(rule: credit.attribution, standardWindow: nil)
    let tallies = try source.run(units: RewardProjector(attribution))
    var table = try RewardReport.table(
      tallies, names: source.names, attribution: attribution, dimension: replay.by, per: per,
      level: coverage.level)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

extension ReportRewardsCommand: WorkedExamples {
  static let examples = [
    "bandolier report rewards datasets/storefront.log",
    #"""
    bandolier report rewards datasets/storefront.log --per unit \
      --window 7d
    """#,
    #"""
    bandolier report rewards datasets/storefront.log \
      --experiment homepage --by context.device
    """#,
  ]
}
