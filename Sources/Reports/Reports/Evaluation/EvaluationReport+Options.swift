internal import Bandits
internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics

extension EvaluationReport {
  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    policyOptions
    estimatorOptions
    tableOptions
    Option.rewardMetric(\.plan.attribution)
    Option.rule(\.plan.attribution.rule)
    Option.level(\.level)
    Option.attribution(\.plan.attribution)
  }

  @OptionsBuilder<Self>
  private static var policyOptions: [ReportOption<Self>] {
    Option(
      OptionInfo(
        "policy", .repeated, "policy",
        "A policy to evaluate: uniform, fixed:variant=X, weights:A=0.7;B=0.3, table:path=FILE.csv, "
          + "softmax:feature=NAME, epsilon-greedy (around the reward model), logged, learned:path=FILE.json (see "
          + "`bandolier learn`; with control-share=0.1 as an agent serves it), or a learning policy such as ucb1, "
          + "by replay; can be given more than once."
      )
    ) { report, texts, files in
      let policies = try EvaluatedPolicies(parsing: texts, files: files.text)
      report.plan.policies = policies.targets
      report.plan.learningPolicies = policies.learning
    }.with { $0.offers = { EvaluatedPolicies.names() } }
    Option.value(
      "features", "terms",
      "The features that reward models see, such as number(age)+one-hot(features.brand) (default: "
        + "one-hot(slot)+one-hot(variant)).",
      { try FeatureSpecification(parsing: $0) }
    ) {
      $0.plan.contextFeatures = $1
      $0.plan.features = $1
    }
    Option.value(
      "runs", \.plan.runs, "R",
      "Runs of each learning policy, each with random numbers of its own (default: 1).",
      kind: .integer, OptionValue.positive
    ).grouped(.statistics)
    Option.integer("seed", \.plan.seed, "seed", "Seed of learning policies (default: 1).").grouped(.statistics)
    Option(
      OptionInfo(
        "versus", .single, "policy",
        "Compare each policy with this one, by the paired difference of their values.")
    ) { report, texts, files in
      try report.compare(with: texts[texts.count - 1], files)
    }.with { $0.offers = { TargetPolicyCatalog.standard.all.map(\.name) } }.grouped(.statistics)
  }

  /// Sets the policy that the others are compared with, which need not be one of them.
  private mutating func compare(with text: String, _ files: OptionFiles) throws {
    guard let other = try EvaluatedPolicies(parsing: [text], files: files.text).targets.first else {
      throw OptionError(
        "\(text) is a learning policy, which has no probabilities to compare with; name a target policy, such as logged"
      )
    }
    let known = plan.policies.firstIndex { $0.specification == other.specification }
    if known == nil { plan.policies.append(other) }
    plan.versus = known ?? plan.policies.count - 1
  }

  @OptionsBuilder<Self>
  private static var estimatorOptions: [ReportOption<Self>] {
    Option.repeated(
      "estimator", \.plan.estimators, "estimator",
      "An estimator, see `bandolier estimators`; can be given more than once (default: ips, snips, dm, dr).",
      { try EstimatorCatalog.standard.named($0) }
    ).with { $0.offers = { EstimatorCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.repeated(
      "interval", \.plan.intervals, "method",
      "The method of intervals, such as normal, student-t, bootstrap:replicates=1000 or confidence-sequence; can be "
        + "given more than once (default: normal).",
      { try IntervalCatalog.standard.named($0) }
    ).with { $0.offers = { IntervalCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.value(
      "reward-model", \.plan.rewardModel, "model",
      "The reward model of dm, dr and others, such as tabular:prior-sum=1,prior-count=250 (default: tabular, the mean "
        + "of each slot and variant with one more reward of the slot's mean).",
      { try RewardModelCatalog.standard.named($0) }
    ).with { $0.offers = { RewardModelCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.value(
      "folds", \.plan.folds, "K",
      "Fit the reward model in this many folds of units, each predicted without its own rewards; 1 for none (default: "
        + "1).",
      kind: .integer, OptionValue.positive
    ).grouped(.statistics)
    Option(
      OptionInfo(
        "groups", .single, "file.csv",
        "Groups of variants for mips: a CSV file with the columns variant and group; variants without a line are "
          + "groups of their own."
      )
    ) { report, texts, files in
      let path = texts[texts.count - 1]
      report.plan.groups = try VariantGroups(csv: files.text(path), name: path)
    }.with {
      $0.completion = .file(["csv"])
      $0.isOfCommand = true
    }.grouped(.input)
    Option.flag(
      "per-slot", \.plan.dividesSlots,
      "Estimate the values at each point and slot too, in rows that name them."
    ).grouped(.output)
  }

  @OptionsBuilder<Self>
  private static var tableOptions: [ReportOption<Self>] {
    Option.choice(
      "table", \.askedTable, "which",
      "Table to print (default: that of --truth, --windows or --versus if given, otherwise values)."
    ).grouped(.output)
    Option.list(
      "windows", \.windows, "durations",
      "Other attribution windows to estimate the values under, such as 1h,1d,7d,none; 7 is 7 days.",
      OptionValue.window)
    Option.value(
      "truth", \.truth, "log",
      "A log written by the policy itself, against which the estimators are judged.",
      { EvaluationTruth(path: $0) }
    ).with {
      $0.completion = .folder
      $0.isOfCommand = true
    }.grouped(.input)
    Option.value(
      "truth-experiment", "name",
      "The experiment in the log of --truth (default: the same name).", { $0 }
    ) { $0.truth?.experiment = $1 }.with {
      $0.needs = ["truth"]
      $0.isOfCommand = true
    }.grouped(.input)
    Option.value(
      "replicates", "R", "Bootstrap replicates of the errors of --truth (default: 1000).",
      kind: .integer, OptionValue.positive
    ) { $0.truth?.replicates = $1 }.with {
      $0.needs = ["truth"]
      $0.isOfCommand = true
    }.grouped(.statistics)
    Option.list(
      "fail-on", \.alarms, "checks", "Exit with code 3 unless the log answers: support.",
      { try OptionValue.choice($0) }
    ).with {
      $0.offers = { EvaluationAlarm.allCases.map(\.rawValue) }
      $0.isOfCommand = true
    }.grouped(.statistics)
    Option.plot(
      "plot-estimates", \.plots.estimates,
      "Draw the estimates of each policy with their intervals; further pages go into FILE_2.svg.")
    Option.plot("plot-weights", \.plots.weights, "Draw histograms of the weights into a file.")
    Option.plot("plot-time", \.plots.time, "Draw the values over time into a file.")
  }
}
