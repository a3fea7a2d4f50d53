internal import EventLog
public import Replay

/// What is measured of each unit, and which goals and conversions count for it.
public struct MetricPlan: Sendable {
  /// How long conversions count after the first exposure unless something else is said: 7 days, in microseconds.
  public static let standardConversionWindow: Int64 = 7 * 86_400_000_000

  /// The metrics.
  public var metrics: [Metric]
  /// Which goals count.
  public var attribution: Attribution
  /// How long conversions count after the first exposure, in microseconds; nil for ever.
  public var conversionWindow: Int64?
  /// What greater values of a unit count as; nil for themselves.
  public var cap: Double?

  /// Makes a plan; by default of the reward of units.
  public init(
    _ metrics: [Metric] = [Metric(.reward)], attribution: Attribution = Attribution(),
    conversionWindow: Int64? = standardConversionWindow, cap: Double? = nil
  ) {
    self.metrics = metrics
    self.attribution = attribution
    self.conversionWindow = conversionWindow
    self.cap = cap
  }

  /// The projector of the metrics in a log.
  ///
  /// - Throws: ``ReportError`` when the log does not have a goal that a metric names.
  func projector(_ lookup: NameLookup) throws -> MetricProjector {
    for goal in metrics.flatMap(\.goals) { try lookup.code(of: goal, in: .goals) }
    var projector = MetricProjector(
      metrics, names: lookup.names, attribution: attribution, conversionWindow: conversionWindow)
    projector.cap = cap
    return projector
  }
}
