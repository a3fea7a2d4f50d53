public import ArgumentParser
import EventLog
public import Replay
import Reports
import Tables

extension RegretMeans: ExpressibleByArgument {}

extension RegretReport: ReportWithOptions {
  typealias CommandOptions = RegretOptions
}

/// The options of the report `regret`.
struct RegretOptions: ReportOptions {
  static let discussion = """
    The sum over decisions of the mean reward of the best variant minus that of the chosen one, in the order of event \
    time, by experiment, point and slot; means are over the whole log. Rows are after 1, 2, 5, 10, 20, \
    50, ... decisions and after all. Rewards are those of `report rewards`. The estimate is too high on average, \
    because the maximum of several means is; the interval allows for that (`bandolier explain regret`).
    """

  static let examples = [
    "bandolier report regret datasets/storefront.log",
    #"""
    bandolier report regret datasets/storefront.log \
      --experiment checkout-button --means ips
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "Estimator of mean rewards: plain, or inverse propensity weighting: ips or snips.",
      valueName: "which"))
  var means: RegretMeans = .plain

  @Flag(help: "Show the regret by variant instead of by number of decisions.")
  var decompose = false

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func report() throws -> RegretReport {
    try RegretReport(
      rules: RegretRules(
        rules.attribution(rule: credit.attribution, standardWindow: nil), means: means,
        level: coverage.level), decomposes: decompose)
  }
}
