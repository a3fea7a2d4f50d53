public import ArgumentParser
import EventLog
public import Replay
import Reports
import Tables

extension RegretMeans: ExpressibleByArgument {}

struct ReportRegretCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regret",
    abstract: "What the decisions lost against the best variant, in hindsight.",
    usage: "bandolier report regret <log or database> [<options>]",
    discussion: """
      For each decision, the mean reward of the best variant less that of the one chosen, added up in the order \
      of event time, by experiment, point and slot; means are over the whole log. Rows are after 1, 2, 5, 10, 20, \
      50, ... decisions and after all. Rewards are those of `report rewards`. The estimate is too high on average, \
      because the best of several means is; the interval allows for that (`bandolier explain regret`).
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "Mean reward of a variant: plain, or weighted by 1 / propensity: ips or snips.",
      valueName: "which"))
  var means: RegretMeans = .plain

  @Flag(help: "Which variants the regret comes from, instead of how it grew.")
  var decompose = false

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants], end: rules.end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let rules = RegretRules(
      rules.attribution(rule: credit.attribution, standardWindow: nil), means: means,
      // Nobody sees intervals there.
      hasIntervals: !decompose, level: coverage.level)
    let regret = try source.regret(rules)
    var table =
      decompose
      ? try RegretReport.variantTable(
        regret, names: source.names, rules: rules, dimension: replay.by)
      : try RegretReport.table(regret, names: source.names, rules: rules, dimension: replay.by)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

extension ReportRegretCommand: WorkedExamples {
  static let examples = [
    "bandolier report regret datasets/storefront.log",
    #"""
    bandolier report regret datasets/storefront.log \
      --experiment checkout-button --means ips
    """#,
  ]
}
