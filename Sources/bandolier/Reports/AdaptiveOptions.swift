public import ArgumentParser
import EventLog
import Replay
public import Reports
import Tables

extension AdaptiveAllocation: ExpressibleByArgument {}

extension AdaptiveReport: ReportWithOptions {
  typealias CommandOptions = AdaptiveOptions
}

/// The options of the report `adaptive`.
struct AdaptiveOptions: ReportOptions {
  typealias Log = LogOrPartsArgument

  static let usage = "bandolier report adaptive <log> [<options>]"

  static let discussion = """
    Under adaptive allocation, such as a bandit's, the plain mean reward of a variant is biased and its confidence \
    interval has too low a coverage. The adaptively weighted mean corrects this, also where probabilities depend on the \
    context; its interval begins with 20 effective decisions, 5 rewards and 5 non-rewards of the variant. Both need the \
    choices of every decision and a probability for each. Rewards are those of `report rewards`. \
    `bandolier explain adaptive` has the formulas.
    """

  static let examples = [
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations
    """#,
    #"""
    bandolier report adaptive datasets/storefront.log \
      --experiment recommendations --baseline popular
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "Weights of decisions.",
      valueName: "which"))
  var weighting: AdaptiveAllocation = .constant

  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (default: the first by name).",
      valueName: "variant"))
  var baseline: String?

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func report() throws -> AdaptiveReport {
    try AdaptiveReport(
      plan: AdaptivePlan(
        rules.attribution(rule: credit.attribution, standardWindow: nil), allocation: weighting,
        baseline: baseline, level: coverage.level))
  }
}
