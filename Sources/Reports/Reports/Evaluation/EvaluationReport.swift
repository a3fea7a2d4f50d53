internal import EventLog
public import OffPolicy
public import Replay
internal import Specifications
internal import Tables

/// The report `evaluate`: what other policies would have earned, estimated from the log.
public struct EvaluationReport: RewardedReport {
  public static let name = "evaluate"
  public static let abstract = "Estimate what other policies would have earned."

  public static let usage = ["evaluate <log> --policy <policy> [<options>]"]

  public static let discussion = """
    The value of a policy is the mean reward that its decisions would have had, estimated from the decisions of the \
    policy that wrote the log: they need a propensity. Rewards are those of `report rewards`. `bandolier estimators` \
    lists the estimators, `bandolier explain evaluate` has the formulas.

    The first lines say for each policy whether the log can answer: answers, weak or cannot-answer, with the reasons.

    Exit codes: 3 if --fail-on support is given and the verdict on a policy is not answers, after the report was \
    written; otherwise 0, whatever the verdicts.
    """

  public static let examples = [
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

  /// The policies, the estimators and the reward model.
  public var plan: OffPolicyPlan
  /// The confidence level of intervals.
  public var level = 0.95
  /// The table that was asked for; nil for that of the truth, the windows or the comparison, if there is one, and
  /// otherwise that of the values.
  public var askedTable: EvaluationTable?
  /// The other attribution windows, in microseconds after an exposure; nil for unlimited.
  public var windows: [Int64?] = []
  /// The log of the evaluated policy; nil for none.
  public var truth: EvaluationTruth?
  /// The checks whose failure is reported as an alarm.
  public var alarms: [EvaluationAlarm] = []
  /// The paths of plots.
  public var plots = EvaluationPlots()

  /// Creates the report without a policy, with the estimators ips, snips, dm and dr and normal intervals.
  public init() {
    plan = OffPolicyPlan(
      policies: [],
      estimators: [InversePropensity(), SelfNormalized(), DirectMethod(), DoublyRobust()],
      intervals: [NormalInterval()], rewardModel: TabularRewards())
  }

  /// The table of the report.
  public var table: EvaluationTable {
    if let askedTable { return askedTable }
    return truth != nil
      ? .truth : !windows.isEmpty ? .windows : plan.versus != nil ? .versus : .values
  }

  public static let needsLog = true

  public static let isVerbOfItsOwn = true

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    [
      (
        .by,
        "is not available for evaluate; select experiments with --experiment, and times with --since and --until"
      )
    ]
  }

  public mutating func validate() throws(ReportError) {
    try check()
    plan.divides = table == .time || plots.time != nil
    guard let truth else { return }
    do {
      plan.bootstrap = try BootstrapInterval { $0.replicates = truth.replicates }
    } catch {
      throw ReportError(.badParameter, "replicates \(error)")
    }
  }

  public static let directions: Set<Metric.Direction> = [.higher, .lower]

  public var rewards: Attribution {
    get { plan.attribution }
    set { plan.attribution = newValue }
  }

  public var partials: PartialSupport {
    if let truth {
      return .none(
        instead:
          "leave out --truth \(truth.path), which needs that log too, or make it of the whole log")
    }
    return plan.wholeLogReason.map { .none(instead: $0) } ?? .byUnitsOfOneExperiment
  }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` for a database, and if the log of the truth does not have the experiment.
  public func result(of source: ReportSource) throws -> ReportResult {
    let (evaluations, windows) = try evaluations(of: source)
    try requireVariants(evaluations, source)
    var tables = EvaluationTables(self, evaluations, source.names)
    tables.windows = windows
    let truths = try truths(evaluations, source)
    tables.truths = truths.values
    var result = ReportResult(try tables.table(table))
    if let log = truths.log { result.table.note(lossesOf: log, of: "truth") }
    result.files = try tables.files(plots)
    result.alarm = tables.alarm
    return result
  }

  /// Returns the evaluations, and those under each of the windows if the table is of these.
  private func evaluations(
    of source: ReportSource
  ) throws -> ([Evaluation], windows: [(window: Int64?, evaluations: [UInt32: Evaluation])]) {
    var plan = plan
    plan.attribution = try source.lookup.resolving(plan.attribution)
    guard table == .windows else { return (try source.evaluations([plan])[0], []) }
    var other = plan
    (other.intervals, other.versus, other.bootstrap, other.divides) = ([], nil, nil, false)
    other.learningPolicies = []
    let others = windows.map { window in
      var plan = other
      plan.attribution = plan.attribution.limited(to: window)
      return plan
    }
    let all = try source.evaluations([plan] + others)
    let byExperiment = all.dropFirst().map { evaluations in
      Dictionary(evaluations.map { ($0.experiment, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return (all[0], Array(zip(windows, byExperiment)))
  }

  /// Throws an error for a policy that names variants of which no evaluated experiment has one.
  private func requireVariants(
    _ evaluations: [Evaluation], _ source: ReportSource
  ) throws(ReportError) {
    let used = evaluations.filter { $0.ledger.decisions > 0 }
    guard let experiment = used.first?.experiment else { return }
    for (index, policy) in plan.policies.enumerated() {
      guard used.allSatisfy({ $0.policies[index].isAbsent }),
        let name = policy.namedVariants.first
      else { continue }
      let problem =
        used.count == 1
        ? "experiment \"\(source.names.string(experiment, in: .experiments) ?? "")\" of \(source.path) has no"
        : "no evaluated experiment of \(source.path) has the"
      throw ReportError(
        .badData,
        "policy \(policy.specification): \(problem) variant \"\(name)\""
          + NearestName.remedy(for: name, among: used.flatMap(\.variants).distinctNames))
    }
  }

  /// Why the policy that the others are compared with is the only one.
  private var lonely: String {
    let versus = plan.policies.first?.specification.description ?? ""
    guard let learning = plan.learningPolicies.first else {
      return
        "names \(versus), and so do all of --policy: a policy is not compared with itself; add another one, such as "
        + "--policy logged"
    }
    return
      "names \(versus), and no other policy can be compared with it: \(learning.specification) learns while it is "
      + "replayed, so that there is no paired difference; compare the values of --table values, or add another "
      + "--policy, such as logged"
  }

  private func check() throws(ReportError) {
    try ReportError.require(
      !plan.policies.isEmpty || !plan.learningPolicies.isEmpty, "policy",
      "is missing; name a policy to evaluate, such as --policy uniform")
    try ReportError.check(level: level)
    try checkRewards()
    let metric = rewards.metric.metric
    let seeksRewards = !plan.learningPolicies.isEmpty || plan.policies.contains(where: \.needsModel)
    try ReportError.require(
      metric.direction == .higher || !seeksRewards, "policy",
      "names one that learns or follows the reward model and chooses what earns most; of \(metric) less is better")
    try Self.checkUnique(
      plan.policies.map(\.specification.description)
        + plan.learningPolicies.map(\.specification.description), "policy")
    try Self.checkUnique(plan.estimators.map(\.specification.description), "estimator")
    try Self.checkUnique(plan.intervals.map(\.specification.description), "interval")
    for window in windows { try ReportError.check(window: window, "windows") }
    try Self.checkUnique(windows.map { EvaluationTables.text(window: $0) }, "windows")
    try ReportError.require(
      table != .versus || plan.versus != nil, "table", "versus requires --versus <policy>")
    try ReportError.require(plan.versus == nil || plan.policies.count > 1, "versus", lonely)
    try ReportError.require(
      table != .windows || !windows.isEmpty, "table", "windows requires --windows, such as 1d,7d")
    try ReportError.require(
      table != .truth || truth != nil, "table", "truth requires --truth <log>")
    try ReportError.require(
      truth == nil || plan.policies.count == 1 && plan.learningPolicies.isEmpty, "truth",
      "requires a single target policy: the one that wrote that log")
    let whole = plan.estimators.count(where: \.judgesWholeDecisions)
    try ReportError.require(
      truth == nil || whole == 0 || whole == plan.estimators.count, "truth",
      "requires estimators that are all of whole decisions, such as slate-ips, or none of them")
  }

  private static func checkUnique(_ texts: [String], _ option: String) throws(ReportError) {
    var seen: Set<NameKey> = []
    for text in texts {
      try ReportError.require(seen.insert(NameKey(text)).inserted, option, "\(text) is given twice; leave one out")
    }
  }
}
