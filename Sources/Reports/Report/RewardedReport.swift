public import Events
public import Replay
internal import Specifications
internal import Tables

/// A report of what decisions earn: an analysis plan names the metric that makes up their rewards.
public protocol RewardedReport: Report {
  /// How goals and conversions are credited to decisions, and what each of them is worth.
  var rewards: Attribution { get set }

  /// The directions of metrics that it can judge; by default all, where it judges nothing.
  static var directions: Set<Metric.Direction> { get }
}

extension RewardedReport {
  public static var directions: Set<Metric.Direction> { Set(Metric.Direction.allCases) }

  public var end: Timestamp? { rewards.end }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) { adoptMetric(of: entry) }

  /// Takes the goal metric of a plan, unless it cannot be what decisions earn.
  mutating func adoptMetric(of entry: AnalysisPlan.Entry) {
    if let metric = RewardMetric(entry.metric), Self.refusal(of: entry.metric) == nil {
      rewards = rewards.measuring(metric)
    }
  }

  /// Returns why a metric cannot be what decisions earn; nil if it can.
  static func refusal(of metric: Metric) -> String? {
    if RewardMetric(metric) == nil { return "is measured for units and not for decisions" }
    guard !directions.contains(metric.direction) else { return nil }
    return directions.contains(.lower)
      ? "is neither better nor worse, and this report says what is best"
      : "is one of which more is not better, and this report is about what earns most"
  }

  /// Throws an error for a metric whose direction the report cannot judge.
  func checkRewards() throws(ReportError) {
    let metric = rewards.metric.metric
    let refusal = Self.refusal(of: metric)
    try ReportError.require(
      refusal == nil, "metric",
      "\(metric) \(refusal ?? ""); report rewards, series and compare take it")
    try ReportError.check(rewards)
  }
}

extension Table {
  /// Says in the notes and the answer what the decisions of each planned experiment earn, if that is not the reward in
  /// all of them.
  ///
  /// - Parameters:
  ///   - entries: The plans of the experiments in the table.
  ///   - report: Returns the report of an experiment.
  /// - Throws: Errors of the closure.
  mutating func noteMetrics(
    of entries: [AnalysisPlan.Entry], _ report: (AnalysisPlan.Entry) throws -> any Report
  ) throws {
    var isStandard = true
    let texts = try entries.compactMap { entry -> String? in
      guard let own = try report(entry) as? any RewardedReport else { return nil }
      let refusal = type(of: own).refusal(of: entry.metric)
      let isOwn = refusal == nil
      isStandard = isStandard && isOwn && own.rewards.metric == .standard
      return "\(entry.experiment): \(own.rewards.metric)"
        + (refusal.map { " (\(entry.metric) \($0))" } ?? "")
    }
    guard !isStandard else { return }
    let most = 6
    let more = texts.count > most ? "; and \(texts.count - most) more" : ""
    let list = texts.prefix(most).joined(separator: "; ") + more
    note("metric", list)
    answer.append("Decisions earn what the analysis file says: \(list).")
  }
}
