internal import Events
internal import Replay
internal import Reports
internal import Specifications

/// Makes reports with the options of a query, which have the names and defaults of the command's.
struct RequestedReport {
  let query: ReportQuery

  /// Creates the report of a name.
  ///
  /// - Throws: ``ServiceProblem`` if there is none, or an option is invalid; `ReportError` if one is out of range.
  func report(named name: String) throws -> any Report {
    switch name {
    case RewardReport.name: try rewards()
    case ComparisonReport.name: try comparison()
    case DecisionReport.name: try decisions()
    case ConversionReport.name: try conversions()
    case QuantileReport.name: try quantiles()
    case RegretReport.name: try regret()
    case AdaptiveReport.name: try adaptive()
    case HealthReport.name: try health()
    case SeriesReport.name: try series()
    case VisitReport.name: try visits()
    case FunnelReport.name: try funnel()
    case RetentionReport.name: try retention()
    case PowerReport.name: try power()
    case PredictionReport.name: try predictions()
    case EvaluationReport.name: try evaluation()
    default:
      throw ServiceProblem(
        404, "unknown-report",
        NearestName.unknown("report", name, among: StandardReports.all.map { $0.name }))
    }
  }

  // MARK: Options that reports share

  /// The confidence level of intervals.
  func level() throws -> Double { 1 - (try query.number("alpha") ?? 0.05) }

  func crossing() throws -> Attribution.Crossing { try query.choice("crossing") ?? .drop }

  func attributionRule() throws -> Attribution.Rule { try query.choice("attribution") ?? .last }

  /// The attribution.
  ///
  /// - Parameters:
  ///   - rule: Which decision is credited.
  ///   - standardWindow: The window where none is given; nil for unlimited.
  ///   - crossing: How units in several variants are handled.
  /// - Returns: The attribution.
  /// - Throws: ``ServiceProblem`` if an option is invalid.
  func attribution(
    rule: Attribution.Rule = .last, standardWindow: Int64? = nil,
    crossing: Attribution.Crossing = .drop
  ) throws -> Attribution {
    Attribution(
      rule: rule, window: try query.window("window", standard: standardWindow),
      delay: try query.duration("delay") ?? 0,
      counting: try query.flag("once") ? .once : .every, limit: try query.integer("limit"),
      minimum: try query.number("minimum"), maximum: try query.number("maximum"),
      end: try query.time("end"),
      excludesInProgress: try query.flag("without-in-progress"), crossing: crossing)
  }

  /// The attribution to first exposures: conversions have a default window, goals have none.
  func attribution(
    since source: ConversionSource, crossing: Attribution.Crossing
  ) throws -> Attribution {
    try attribution(
      rule: .first,
      standardWindow: source == .conversions
        ? ConversionProjector.standardAttribution.window : nil, crossing: crossing)
  }

  /// The metrics that variants are compared by.
  func metrics() throws -> MetricPlan {
    let metrics = try query.texts("metric").map { text in
      do {
        return try Metric(parsing: text)
      } catch {
        throw ReportQuery.problem("metric", "is \(text.debugDescription): \(error)")
      }
    }
    return MetricPlan(
      metrics.isEmpty ? [Metric(.reward)] : metrics,
      attribution: try attribution(crossing: crossing()),
      conversionWindow: try query.window("window", standard: MetricPlan.standardConversionWindow),
      cap: try query.number("cap"))
  }

  func capping() throws -> Capping? {
    let (cap, percentile) = (try query.number("cap"), try query.number("cap-percentile"))
    let ignoresZeros = try query.flag("cap-ignoring-zeros")
    guard cap == nil || percentile == nil else {
      throw ReportQuery.problem("cap", "and cap-percentile cannot be combined; leave one out")
    }
    guard percentile != nil || !ignoresZeros else {
      throw ReportQuery.problem("cap-ignoring-zeros", "needs cap-percentile")
    }
    if let cap { return .absolute(cap) }
    return percentile.map { .percentile($0, ignoringZeros: ignoresZeros) }
  }
}
