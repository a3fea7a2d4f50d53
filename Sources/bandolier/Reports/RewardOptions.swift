public import ArgumentParser
import EventLog
import Projections
import Replay
public import Reports
import Tables

extension RewardReport.Per: ExpressibleByArgument {}

extension RewardReport: ReportWithOptions {
  typealias CommandOptions = RewardOptions
}

/// The options of the report `rewards`.
struct RewardOptions: ReportOptions {
  static let discussion = """
    A goal is credited, for each point and slot of its experiment, to the latest confirmed decision of \
    the same unit at or before it, by event time. A goal without a value counts 1. What did not count is \
    listed under the table, and under `notes` in JSON.
    """

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

  @Option(
    help: ArgumentHelp(
      "Observations that mean, variance and interval are over.", valueName: "what"
    ))
  var per: RewardReport.Per = .decision

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  static var takesDimensions: Bool { true }

  func report() throws -> RewardReport {
    try RewardReport(
      attribution: rules.attribution(rule: credit.attribution, standardWindow: nil), per: per,
      level: coverage.level)
  }
}
