public import Events
public import Replay
internal import Specifications
internal import Tables

/// A report of what decisions earn: an analysis plan names the metric that makes up their rewards.
public protocol RewardedReport: Report {
  /// How goals and conversions are credited to decisions, and what each of them is worth.
  var rewards: Attribution { get set }
}

extension RewardedReport {
  public var end: Timestamp? { rewards.end }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) { adoptMetric(of: entry) }

  /// Takes the goal metric of a plan, unless it is measured for units and not for decisions.
  mutating func adoptMetric(of entry: AnalysisPlan.Entry) {
    if let metric = RewardMetric(entry.metric) { rewards.metric = metric }
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
      let isOwn = RewardMetric(entry.metric) != nil
      isStandard = isStandard && isOwn && own.rewards.metric == .standard
      return "\(entry.experiment): \(own.rewards.metric)"
        + (isOwn ? "" : " (\(entry.metric) is measured for units and not for decisions)")
    }
    guard !isStandard else { return }
    let most = 6
    let more = texts.count > most ? "; and \(texts.count - most) more" : ""
    let list = texts.prefix(most).joined(separator: "; ") + more
    note("metric", list)
    answer.append("Decisions earn what the analysis file says: \(list).")
  }
}
