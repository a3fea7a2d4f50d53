import ArgumentParser
import Bandits
import EventLog
import Interchange
import Replay
import Reports
import Statistics
import Tables

extension EvaluationReport: ReportWithOptions {
  typealias CommandOptions = EvaluationOptions
}

/// The options of `evaluate`.
struct EvaluationOptions: ReportOptions {
  static let usage = "bandolier evaluate <log> --policy <policy> ... [<options>]"

  static let discussion = """
    The value of a policy is the mean reward that its decisions would have had, estimated from the decisions of the \
    policy that wrote the log: they need a propensity. Rewards are those of `report rewards`. `bandolier estimators` \
    lists the estimators, `bandolier explain evaluate` has the formulas.
    """

  static let examples = [
    #"""
    bandolier evaluate datasets/storefront.log --experiment homepage \
      --policy uniform --policy fixed:variant=newsletter
    """#
  ]

  @Option(
    help: ArgumentHelp(
      "A policy to evaluate: uniform, fixed:variant=X, weights:A=0.7;B=0.3, table:path=FILE.csv or logged; can be given more than once.",
      valueName: "policy"))
  var policy: [String] = []

  @Option(
    help: ArgumentHelp(
      "An estimator, see `bandolier estimators`; can be given more than once (default: ips, snips, dm, dr).",
      valueName: "estimator"))
  var estimator: [String] = []

  @Option(
    help: ArgumentHelp(
      "The method of intervals, such as normal, student-t, bootstrap:replicates=1000 or confidence-sequence; can be given more than once (default: normal).",
      valueName: "method"))
  var interval: [String] = []

  @Option(
    help: ArgumentHelp(
      "The reward model of dm, dr and others, such as tabular:prior-sum=1,prior-count=250.",
      valueName: "model"))
  var rewardModel = "tabular"

  @Option(
    help: ArgumentHelp(
      "The features that reward models see, such as number(age)+one-hot(country)+one-hot(features.brand) (default: one-hot(slot)+one-hot(variant)).",
      valueName: "terms"))
  var features: String?

  @Option(
    help: ArgumentHelp(
      "Fit the reward model in this many folds of units, each predicted without its own rewards; 1 for none.",
      valueName: "K"), transform: OptionValue.positive)
  var folds = 1

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func report() throws -> EvaluationReport {
    guard !policy.isEmpty else {
      throw ValidationError("name a policy to evaluate, such as --policy uniform")
    }
    let estimators = estimator.isEmpty ? ["ips", "snips", "dm", "dr"] : estimator
    return try EvaluationReport(
      plan: OffPolicyPlan(
        policies: policy.map { text in
          try TargetPolicyCatalog.standard.named(text) { (path) throws(SpecificationError) in
            try Self.text(path)
          }
        }, estimators: estimators.map { try EstimatorCatalog.standard.named($0) },
        intervals: (interval.isEmpty ? ["normal"] : interval).map {
          try IntervalCatalog.standard.named($0)
        }, rewardModel: RewardModelCatalog.standard.named(rewardModel),
        features: features.map { try FeatureSpecification(parsing: $0) } ?? .standard,
        folds: folds,
        attribution: rules.attribution(rule: credit.attribution, standardWindow: nil)),
      level: coverage.level)
  }

  private static func text(_ path: String) throws(SpecificationError) -> String {
    do {
      let bytes = try WholeInput.bytes(path, limit: 1 << 30) { Interrupt.waitForInput($0) }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw SpecificationError("\(path): the file is not UTF-8 text; convert it")
      }
      return text
    } catch {
      throw SpecificationError("\(error)")
    }
  }
}
