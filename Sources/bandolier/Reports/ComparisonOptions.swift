public import ArgumentParser
import EventLog
import Replay
public import Reports
public import Statistics
import Tables

extension ComparisonMethod: ExpressibleByArgument {}
extension LiftMethod: ExpressibleByArgument {}
extension Alternative: ExpressibleByArgument {}
extension CupedTheta: ExpressibleByArgument {}

extension ComparisonReport: ReportWithOptions {
  typealias CommandOptions = ComparisonOptions
}

/// The options of the report `compare`.
struct ComparisonOptions: ReportOptions {
  static let discussion = """
    A unit belongs to the variant of its first exposure at each point and slot of an experiment; units seen in \
    several variants are left out and counted. Means are over units. The standard method is Welch's t test, for \
    metrics of 0 or 1 too; every row names its method. `bandolier explain compare` has the formulas.
    """

  static let examples = [
    #"""
    bandolier report compare datasets/storefront.log \
      --experiment checkout-button --baseline blue
    """#,
    #"""
    bandolier report compare datasets/storefront.log \
      --experiment pricing --metric converted --method bootstrap
    """#,
  ]

  @OptionGroup var metrics: MetricOptions

  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (default: control, baseline or A, otherwise the first by name).",
      valueName: "variant"))
  var baseline: String?

  @OptionGroup var tests: ComparisonPlanOptions

  var refused: [String] { tests.postStratify == nil ? [] : ["--post-stratify"] }

  func report() throws -> ComparisonReport {
    var plan = tests.plan
    plan.baseline = baseline
    return try ComparisonReport(metrics.plan(), plan: plan, strata: tests.postStratify)
  }

  static var takesDimensions: Bool { true }

  func report(for entry: AnalysisPlan.Entry) throws -> ComparisonReport {
    var plan = tests.plan
    plan.baseline = baseline ?? entry.baseline
    if tests.expect == nil { plan.expectedShares = entry.shares }
    return try ComparisonReport(metrics.plan(for: entry), plan: plan, strata: tests.postStratify)
  }

  func validate(with verb: ReportVerb<Self>) throws {
    if tests.postStratify != nil, verb.replay.by != nil {
      throw ValidationError("--post-stratify and --by cannot be combined; leave one out")
    }
  }
}
