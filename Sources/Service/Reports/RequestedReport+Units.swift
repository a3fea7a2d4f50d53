internal import Prediction
internal import Replay
internal import Reports
internal import Statistics

// Reports of what units do, and of the log's quality.
extension RequestedReport {
  func conversions() throws -> ConversionReport {
    let source: ConversionSource = try query.choice("of") ?? .conversions
    return try ConversionReport(
      of: source, attribution: attribution(since: source, crossing: crossing()),
      capping: capping(), level: level())
  }

  func quantiles() throws -> QuantileReport {
    var options = QuantileReport.Options()
    options.quantiles = try query.numbers("at") ?? options.quantiles
    if let number: Int = try query.integer("type") {
      guard let type = QuantileType(rawValue: number) else {
        throw ReportQuery.problem("type", "must be a number from 1 to 9")
      }
      options.type = type
    }
    options.ignoresZeros = try query.flag("ignoring-zeros")
    options.level = try level()
    let metrics = try query.choices("metric", QuantileReport.Metric.self)
    let crossing = try crossing()
    return try QuantileReport(
      metrics.isEmpty ? [.revenue] : QuantileReport.Metric.allCases.filter(metrics.contains),
      options: options, goals: query.texts("goal"),
      attribution: attribution(since: .conversions, crossing: crossing),
      goalAttribution: attribution(since: .goals, crossing: crossing))
  }

  func health() throws -> HealthReport {
    let texts = query.texts("expect")
    guard let shares = ExpectedShares(texts) else {
      throw ReportQuery.problem(
        "expect",
        "does not give shares; write VARIANT=WEIGHT,VARIANT=WEIGHT with weights of 0 or more, "
          + "not all 0")
    }
    var rules = Reports.HealthOptions()
    rules.expected = shares
    rules.sampleRatioAlpha = try query.number("srm-alpha") ?? rules.sampleRatioAlpha
    rules.before = try query.duration("before") ?? rules.before
    rules.busyEvents = try query.integer("bot-events") ?? rules.busyEvents
    return try HealthReport(options: rules)
  }

  func series() throws -> SeriesReport {
    var period = Period.day
    if let text = try query.text("every") {
      let length = DurationText.microseconds(text)
      guard
        let named = Period.allCases.first(where: { $0.rawValue == text || $0.length == length })
      else {
        throw ReportQuery.problem("every", "is \(text.debugDescription); write day, week or hour")
      }
      period = named
    }
    return try SeriesReport(
      attribution: attribution(), period: period,
      basis: query.flag("cohorts") ? .exposure : .event,
      includesEmptyPeriods: query.flag("empty-periods"), level: level())
  }

  func visits() throws -> VisitReport {
    try VisitReport(
      inactivity: query.duration("inactivity") ?? VisitProjector.standardInactivity,
      crossing: crossing(), level: level())
  }

  func funnel() throws -> FunnelReport {
    guard let steps = try query.text("steps") else {
      throw ReportQuery.problem(
        "steps", "is missing; name goals with commas between, such as view,buy")
    }
    return try FunnelReport(
      steps: steps.split(separator: ",", omittingEmptySubsequences: false).map(String.init),
      window: query.window("window", standard: nil),
      order: query.flag("any-order") ? .any : .ordered, crossing: crossing(), level: level())
  }

  func retention() throws -> RetentionReport {
    try RetentionReport(
      days: query.days("days") ?? [1, 3, 7, 14, 28], signal: query.choice("on") ?? .any,
      windowDays: query.days("window-days")?.first ?? 1, end: query.time("end"),
      crossing: crossing(), level: level())
  }

  func predictions() throws -> PredictionReport {
    let predictors = try query.texts("predictor").map { try Predictors.named($0) }
    let baselines = try query.texts("baseline").map { try Predictors.named($0) }
    var rules = PredictionRules(
      predictors: predictors.isEmpty ? PredictionReport.standardPredictors : predictors)
    if !baselines.isEmpty { rules.baselines = baselines }
    rules.source = try query.choice("over") ?? .studies
    let studies = query.texts("study")
    rules.studies = studies.isEmpty ? nil : studies
    rules.plan.warmUp = try query.integer("warm-up") ?? 0
    rules.plan.delay = try query.duration("delay") ?? 0
    rules.plan.thresholds = try query.numbers("threshold") ?? rules.plan.thresholds
    rules.plan.bins = try query.integer("bins") ?? rules.plan.bins
    return try PredictionReport(rules: rules, table: query.choice("table") ?? .scores)
  }
}
