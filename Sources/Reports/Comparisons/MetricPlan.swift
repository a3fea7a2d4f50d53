internal import EventLog
public import Replay

/// The metrics of units, and the goals and conversions that count for them.
public struct MetricPlan: Sendable {
  /// The metrics to measure.
  public var metrics: [Metric]
  /// The attribution of goals and conversions.
  public var attribution: Attribution
  /// The outlier cap: larger values of a unit count as this value; nil for no cap.
  public var cap: Double?

  /// Creates a plan; by default of the reward of units.
  public init(
    _ metrics: [Metric] = [Metric(.reward)], attribution: Attribution = Attribution(),
    cap: Double? = nil
  ) {
    self.metrics = metrics
    self.attribution = attribution
    self.cap = cap
  }

  /// Throws an error for a parameter out of range, or a metric that is given twice; also for a cap at a percentile
  /// unless the report finds percentiles.
  func check(findsPercentiles: Bool = false) throws(ReportError) {
    let capped = metrics.first { $0.cap?.isPercentile ?? false }
    try ReportError.require(
      findsPercentiles || capped == nil, "metric",
      "\(capped?.description ?? "") has a cap at a percentile, which this report does not find; give a number as cap")
    for (index, metric) in metrics.enumerated() {
      guard let other = metrics[..<index].first(where: { $0.isSameQuantity(as: metric) }) else { continue }
      throw ReportError(
        .badParameter,
        "metric \(metric) is given twice"
          + (other.description == metric.description ? "" : ", as \(other) measures the same") + "; leave one out")
    }
    try ReportError.check(attribution)
    try ReportError.check(cap.map(Capping.absolute))
  }

  /// Says which metrics have a window or a cap of their own, in place of an option.
  func tellOwn(_ source: ReportSource) {
    for (key, isGiven) in [("window", attribution.window != nil), ("cap", cap != nil)] where isGiven {
      for metric in metrics {
        guard let own = metric.setting(key) else { continue }
        source.say("note: --\(key) does not hold for \(metric), which has its own: \(own)")
      }
    }
  }

  /// Returns the projector of the metrics in a log.
  ///
  /// - Throws: ``ReportError`` if the log does not have a goal that a metric names.
  func projector(_ lookup: NameLookup) throws -> MetricProjector {
    for goal in metrics.flatMap(\.goals) { try lookup.code(of: goal, in: .goals) }
    var projector = MetricProjector(
      metrics, names: lookup.names, attribution: attribution)
    projector.cap = cap
    return projector
  }
}
