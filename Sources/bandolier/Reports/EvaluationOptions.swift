public import ArgumentParser
import Bandits
import EventLog
import Interchange
import Replay
public import Reports
import Specifications
import Statistics
import Tables

extension EvaluationTable: ExpressibleByArgument {}

extension EvaluationReport: ReportWithOptions {
  typealias CommandOptions = EvaluationOptions
}

/// The options of `evaluate`.
struct EvaluationOptions: ReportOptions {
  typealias Log = LogOrPartsArgument

  static let usage = "bandolier evaluate <log> --policy <policy> [<options>]"

  static let discussion = """
    The value of a policy is the mean reward that its decisions would have had, estimated from the decisions of the \
    policy that wrote the log: they need a propensity. Rewards are those of `report rewards`. `bandolier estimators` \
    lists the estimators, `bandolier explain evaluate` has the formulas.

    The first lines say for each policy whether the log can answer: answers, weak or cannot-answer, with the reasons.

    Exit codes: 3 if --fail-on support is given and the verdict on a policy is not answers, after the report was \
    written; otherwise 0, whatever the verdicts.
    """

  static let examples = [
    #"""
    bandolier evaluate datasets/storefront.log \
      --experiment recommendations \
      --policy uniform --policy fixed:variant=popular
    """#,
    #"""
    bandolier evaluate datasets/storefront.log \
      --experiment recommendations --estimator dr \
      --policy uniform --versus logged
    """#,
    #"""
    bandolier evaluate datasets/storefront.log \
      --experiment homepage --policy uniform \
      --table support --fail-on support
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "A policy to evaluate: uniform, fixed:variant=X, weights:A=0.7;B=0.3, table:path=FILE.csv, softmax:feature=NAME, epsilon-greedy (around the reward model), logged, learned:path=FILE.json (see `bandolier learn`; with control-share=0.1 as an agent serves it), or a learning policy such as ucb1, by replay; can be given more than once.",
      valueName: "policy"), completion: .evaluatedPolicy)
  var policy: [String] = []

  @Option(
    help: ArgumentHelp(
      "An estimator, see `bandolier estimators`; can be given more than once (default: ips, snips, dm, dr).",
      valueName: "estimator"), completion: .estimator)
  var estimator: [String] = []

  @Option(
    help: ArgumentHelp(
      "The method of intervals, such as normal, student-t, bootstrap:replicates=1000 or confidence-sequence; can be given more than once (default: normal).",
      valueName: "method"), completion: .interval)
  var interval: [String] = []

  @Option(
    help: ArgumentHelp(
      "The reward model of dm, dr and others, such as tabular:prior-sum=1,prior-count=250 (default: tabular, the mean of each slot and variant with one more reward of the slot's mean).",
      valueName: "model"), completion: .rewardModel)
  var rewardModel = "tabular"

  @Option(
    help: ArgumentHelp(
      "The features that reward models see, such as number(age)+one-hot(features.brand) (default: one-hot(slot)+one-hot(variant)).",
      valueName: "terms"))
  var features: String?

  @Option(
    help: ArgumentHelp(
      "Fit the reward model in this many folds of units, each predicted without its own rewards; 1 for none (default: 1).",
      valueName: "K"), transform: OptionValue.positive)
  var folds = 1

  @Option(
    help: ArgumentHelp(
      "Groups of variants for mips: a CSV file with the columns variant and group; variants without a line are groups of their own.",
      valueName: "file.csv"), completion: .csv)
  var groups: String?

  @Flag(
    help: "Estimate the values at each point and slot too, in rows that name them.")
  var perSlot = false

  @Option(
    help: ArgumentHelp(
      "Runs of each learning policy, each with random numbers of its own (default: 1).",
      valueName: "R"),
    transform: OptionValue.positive)
  var runs = 1

  @Option(help: ArgumentHelp("Seed of learning policies.", valueName: "seed"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Compare each policy with this one, by the paired difference of their values.",
      valueName: "policy"), completion: .targetPolicy)
  var versus: String?

  @Option(
    help: ArgumentHelp(
      "Table to print (default: that of --truth, --windows or --versus if given, otherwise values).",
      valueName: "which"))
  var table: EvaluationTable?

  @Option(
    help: ArgumentHelp(
      "Other attribution windows to estimate the values under, such as 1h,1d,7d,none; 7 is 7 days.",
      valueName: "durations"), transform: OptionValue.list(of: OptionValue.window))
  var windows: [Window] = []

  @Option(
    help: ArgumentHelp(
      "A log written by the policy itself, against which the estimators are judged.",
      valueName: "log"), completion: .log)
  var truth: String?

  @Option(
    help: ArgumentHelp(
      "The experiment in the log of --truth (default: the same name).", valueName: "name"))
  var truthExperiment: String?

  @Option(
    help: ArgumentHelp(
      "Bootstrap replicates of the errors of --truth (default: 1000).", valueName: "R"),
    transform: OptionValue.positive)
  var replicates: Int?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with code 3 unless the log answers: support.", valueName: "checks"),
    completion: .cases(of: EvaluationAlarm.self),
    transform: OptionValue.list(of: OptionValue.choice))
  var failOn: [[EvaluationAlarm]] = []

  @Option(
    help: ArgumentHelp(
      "Draw the estimates of each policy with their intervals; further pages go into FILE_2.svg.",
      valueName: "file.svg"), completion: .svg)
  var plotEstimates: String?

  @Option(
    help: ArgumentHelp("Draw histograms of the weights into a file.", valueName: "file.svg"),
    completion: .svg)
  var plotWeights: String?

  @Option(
    help: ArgumentHelp("Draw the values over time into a file.", valueName: "file.svg"),
    completion: .svg)
  var plotTime: String?

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func report() throws -> EvaluationReport {
    guard !policy.isEmpty else {
      throw ValidationError("name a policy to evaluate, such as --policy uniform")
    }
    guard truth != nil || truthExperiment == nil && replicates == nil else {
      throw ValidationError("--truth-experiment and --replicates require --truth")
    }
    return try EvaluationReport(
      plan: plan(), level: coverage.level, table: table, windows: windows.map(\.microseconds),
      truth: truth.map {
        EvaluationTruth(path: $0, experiment: truthExperiment, replicates: replicates ?? 1_000)
      }, alarms: failOn.flatMap { $0 },
      plots: EvaluationPlots(estimates: plotEstimates, weights: plotWeights, time: plotTime))
  }

  func validate(with verb: ReportVerb<Self>) throws {
    guard verb.replay.by == nil else {
      throw ValidationError(
        "--by is not available for evaluate; select experiments with --experiment, and times with --since and --until"
      )
    }
  }

  private func plan() throws -> OffPolicyPlan {
    let policies = try policies(policy)
    let estimators = estimator.isEmpty ? ["ips", "snips", "dm", "dr"] : estimator
    let intervals = interval.isEmpty ? ["normal"] : interval
    let features = try features.map { try FeatureSpecification(parsing: $0) }
    var plan = try OffPolicyPlan(
      policies: policies.targets, learningPolicies: policies.learning, contextFeatures: features,
      runs: runs, seed: seed,
      estimators: estimators.map { try EstimatorCatalog.standard.named($0) },
      intervals: intervals.map { try IntervalCatalog.standard.named($0) },
      rewardModel: RewardModelCatalog.standard.named(rewardModel), features: features ?? .standard,
      folds: folds, attribution: rules.attribution(rule: credit.attribution, standardWindow: nil))
    plan.dividesSlots = perSlot
    if let groups {
      plan.groups = try withFiles { try VariantGroups(csv: $0(groups), name: groups) }
    }
    if let versus {
      guard let other = try self.policies([versus]).targets.first else {
        throw ValidationError(
          "--versus \(versus) is a learning policy, which has no probabilities to compare with; name a target policy, such "
            + "as logged")
      }
      let known = plan.policies.firstIndex { $0.specification == other.specification }
      if known == nil { plan.policies.append(other) }
      plan.versus = known ?? plan.policies.count - 1
    }
    return plan
  }

  private func policies(_ texts: [String]) throws -> EvaluatedPolicies {
    try withFiles { try EvaluatedPolicies(parsing: texts, files: $0) }
  }

  /// Calls the closure with a function that returns the text of a file; throws the reason if a file cannot be read.
  private func withFiles<Result>(
    _ body: ((String) throws(SpecificationError) -> String) throws -> Result
  ) throws -> Result {
    var unreadable: ImportError?
    do {
      return try body { (path) throws(SpecificationError) in
        try Self.text(path) { unreadable = $0 }
      }
    } catch {
      if let unreadable { throw unreadable }
      throw error
    }
  }

  /// Returns the text of a file; passes on why it cannot be read.
  private static func text(
    _ path: String, _ report: (ImportError) -> Void
  ) throws(SpecificationError) -> String {
    do {
      let bytes = try WholeInput.bytes(path, limit: 1 << 30) { Interrupt.waitForInput($0) }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw SpecificationError("\(path): the file is not UTF-8 text; convert it")
      }
      return text
    } catch let error as ImportError {
      report(error)
      throw SpecificationError("\(error)")
    } catch {
      throw SpecificationError("\(error)")
    }
  }
}
