public import Events
public import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The report `evaluate`: what other policies would have earned, estimated from the log.
public struct EvaluationReport: Report {
  public static let name = "evaluate"
  public static let abstract = "Estimate what other policies would have earned."

  /// The policies, the estimators and the reward model.
  public private(set) var plan: OffPolicyPlan
  /// The confidence level of intervals.
  public let level: Double
  /// The table of the report.
  public let table: EvaluationTable
  /// The other attribution windows, in microseconds after an exposure; nil for unlimited.
  public let windows: [Int64?]
  /// The log of the evaluated policy; nil for none.
  public let truth: EvaluationTruth?
  /// The checks whose failure is reported as an alarm.
  public let alarms: [EvaluationAlarm]
  /// The paths of plots.
  public let plots: EvaluationPlots

  /// Creates a report of the value of target policies.
  ///
  /// - Parameters:
  ///   - plan: The policies, the estimators and the reward model.
  ///   - level: The confidence level of intervals, between 0 and 1, exclusive.
  ///   - table: The table of the report; by default that of the truth, the windows or the comparison, if there is one, and
  ///     otherwise that of the values.
  ///   - windows: Other attribution windows, in microseconds after an exposure; nil for unlimited.
  ///   - truth: A log of the evaluated policy, which has to be the only one.
  ///   - alarms: The checks whose failure is reported as an alarm.
  ///   - plots: The paths of plots.
  /// - Throws: ``ReportError`` if a parameter is out of range.
  public init(
    plan: OffPolicyPlan, level: Double = 0.95, table: EvaluationTable? = nil,
    windows: [Int64?] = [], truth: EvaluationTruth? = nil, alarms: [EvaluationAlarm] = [],
    plots: EvaluationPlots = EvaluationPlots()
  ) throws(ReportError) {
    self.plan = plan
    self.level = level
    self.windows = windows
    self.truth = truth
    self.alarms = alarms
    self.plots = plots
    let asked: EvaluationTable? =
      truth != nil ? .truth : !windows.isEmpty ? .windows : plan.versus != nil ? .versus : nil
    self.table = table ?? asked ?? .values
    try check()
    self.plan.divides = self.table == .time || plots.time != nil
    if let truth {
      do {
        self.plan.bootstrap = try BootstrapInterval(replicates: truth.replicates)
      } catch {
        throw ReportError(.badParameter, "replicates \(error)")
      }
    }
  }

  public var end: Timestamp? { plan.attribution.end }

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
    var tables = EvaluationTables(self, evaluations, source.names)
    tables.windows = windows
    if truth != nil { tables.truths = try truths(evaluations, source) }
    var result = ReportResult(try tables.table(table))
    result.files = try tables.files(plots)
    result.alarm = tables.alarm
    return result
  }

  /// Returns the evaluations, and those under each of the windows if the table is of these.
  private func evaluations(
    of source: ReportSource
  ) throws -> ([Evaluation], windows: [(window: Int64?, evaluations: [Evaluation])]) {
    guard table == .windows else { return (try source.evaluations(plan), []) }
    var other = plan
    (other.intervals, other.versus, other.bootstrap, other.divides) = ([], nil, nil, false)
    other.learningPolicies = []
    let others = windows.map { window in
      var plan = other
      plan.attribution.window = window
      return plan
    }
    guard plan.learningPolicies.isEmpty else {
      return (
        try source.evaluations(plan),
        Array(zip(windows, try source.evaluations(ofEach: others)))
      )
    }
    let all = try source.evaluations(ofEach: [plan] + others)
    return (all[0], Array(zip(windows, all.dropFirst())))
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
      "names \(versus), and no other policy can be compared with it: \(learning.specification) learns while it is replayed, "
      + "so that there is no paired difference; compare the values of --table values, or add another --policy, such as logged"
  }

  private func check() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(plan.attribution)
    try Self.checkUnique(
      plan.policies.map(\.specification.description)
        + plan.learningPolicies.map(\.specification.description), "policy")
    try Self.checkUnique(plan.estimators.map(\.specification.description), "estimator")
    try Self.checkUnique(plan.intervals.map(\.specification.description), "interval")
    for window in windows { try ReportError.check(window: window) }
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
      try ReportError.require(seen.insert(NameKey(text)).inserted, option, "\(text) is given twice")
    }
  }
}
