public import ArgumentParser
import EventLog
import Replay
public import Reports
import Tables

extension PowerMethod: ExpressibleByArgument {}

extension PowerReport: ReportWithOptions {
  typealias CommandOptions = PowerOptions
}

/// The options of the report `power`.
struct PowerOptions: ReportOptions {
  typealias Log = OptionalLogArgument

  static let usage = """
    bandolier report power <log or database> [<options>]
    bandolier report power --rate <rate> [<options>]
    bandolier report power --mean <m> --sd <s> [<options>]
    """

  static let discussion = """
    With a log, mean and variance are those of each experiment's baseline; a ratio has the variance of the delta method. \
    Without one they are given. `bandolier explain power` has the formulas.
    """

  static let examples = [
    #"""
    bandolier report power datasets/storefront.log \
      --metric converted --lift 0.1
    """#,
    "bandolier report power --rate 0.05 --lift 0.1",
  ]

  @OptionGroup var metrics: MetricOptions

  @Option(
    help: ArgumentHelp("The relative lift to detect (default: 5%).", valueName: "lift"),
    transform: OptionValue.number)
  var lift: Double?

  @Option(
    help: ArgumentHelp(
      "Power: the probability of detecting the lift (default: 0.8).", valueName: "power"),
    transform: OptionValue.number)
  var power = 0.8

  @Option(
    help: ArgumentHelp(
      "Significance level of the two-sided test (default: 0.05).", valueName: "level"),
    transform: OptionValue.number)
  var alpha = 0.05

  @Option(
    help: ArgumentHelp(
      "t, z or exact-z; for 0/1 metrics unpooled, pooled or arcsine (default: unpooled for these, otherwise t).",
      valueName: "method"))
  var method: PowerMethod?

  @Option(
    help: ArgumentHelp(
      "The variant whose mean and variance are used (default: control, baseline or A, otherwise the first by name).",
      valueName: "variant"))
  var baseline: String?

  @Option(
    help: ArgumentHelp("Without a log: the share of units that convert.", valueName: "rate"),
    transform: OptionValue.number)
  var rate: Double?

  @Option(
    help: ArgumentHelp("Without a log: the mean of a unit.", valueName: "mean"),
    transform: OptionValue.number)
  var mean: Double?

  @Option(
    help: ArgumentHelp("Without a log: the standard deviation.", valueName: "sd"),
    transform: OptionValue.number)
  var sd: Double?

  @Option(
    help: ArgumentHelp("Without a log: the present units per variant.", valueName: "count"),
    transform: OptionValue.integer)
  var units: Int?

  func report() throws -> PowerReport { try PowerReport(metrics.plan(), plan: plan) }

  func report(for entry: AnalysisPlan.Entry) throws -> PowerReport {
    var plan = plan
    plan.lift = lift ?? entry.minimumEffect ?? plan.lift
    plan.baseline = baseline ?? entry.baseline
    return try PowerReport(metrics.plan(for: entry), plan: plan)
  }

  func tableWithoutLog() throws -> Table { try report().table(of: numbers) }

  func validate(with verb: ReportVerb<Self>) throws {
    if verb.replay.by != nil { throw ValidationError("--by is not available for this report") }
    guard verb.log.argument != nil || !verb.parts.merge.isEmpty else {
      return try validateNumbers()
    }
    if rate != nil || mean != nil || sd != nil || units != nil {
      throw ValidationError("--rate, --mean, --sd and --units are only available without a log")
    }
  }

  private func validateNumbers() throws {
    guard (rate != nil) != (mean != nil), (mean != nil) == (sd != nil) else {
      throw ValidationError("name a log, or give --rate, or --mean and --sd")
    }
    guard metrics.metric.isEmpty, baseline == nil else {
      throw ValidationError("--metric and --baseline need a log")
    }
  }

  private var plan: PowerPlan {
    var plan = PowerPlan()
    (plan.method, plan.power, plan.alpha) = (method, power, alpha)
    plan.lift = lift ?? plan.lift
    plan.baseline = baseline
    return plan
  }

  private var numbers: PowerReport.Baseline {
    if let rate { return .init(rate: rate, units: units) }
    return .init(mean: mean ?? 0, standardDeviation: sd ?? 0, units: units)
  }
}
