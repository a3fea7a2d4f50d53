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

struct ReportCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Which variant is higher than the baseline, by how much, and whether to trust it.",
    usage: "bandolier report compare <log or database> [<options>]",
    discussion: """
      A unit belongs to the variant of its first exposure at each point and slot of an experiment; units seen in \
      several variants are left out and counted. Means are over units. The standard method is Welch's t test, for \
      metrics of 0 or 1 too; every row names its method. `bandolier explain compare` has the formulas.
      """)

  @OptionGroup var log: LogArgument
  @OptionGroup var metrics: MetricOptions

  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (control, baseline or A, else the first).",
      valueName: "variant"))
  var baseline: String?

  @OptionGroup var tests: ComparisonOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard tests.postStratify != nil else { return }
    if replay.by != nil { throw ValidationError("--post-stratify and --by exclude each other") }
    if tests.method != .welch && tests.method != .z {
      throw ValidationError("--post-stratify has a z test of its own; leave --method out")
    }
    if tests.margin != nil || tests.cuped != nil {
      throw ValidationError("--post-stratify does not go with --margin or --cuped")
    }
  }

  func run() throws {
    try replay.reading(
      log, names: [.points, .slots, .variants, .goals],
      refusing: tests.postStratify == nil ? [] : ["--post-stratify"], end: metrics.rules.end,
      dimension: tests.postStratify
    ) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    if let baseline { try source.lookup.code(of: baseline, in: .variants) }
    for variant in (tests.expect?.shares ?? [:]).keys.sorted(by: Self.precedes) {
      try source.lookup.code(of: variant, in: .variants)
    }
    var plan = try tests.plan()
    plan.baseline = baseline
    var projector = try metrics.projector(source)
    projector.covariatePeriod = plan.covariate?.period
    projector.readsProbabilities = source.log != nil
    projector.keepsValues = plan.method == .mannWhitney
    projector.bootstrap = plan.method == .bootstrap ? plan.resampling : nil
    let tallies = try source.run(by: tests.postStratify, units: projector)
    try source.require(baseline, among: tallies.segments.keys.map(\.arm.variant))
    var table = try ComparisonReport.table(
      tallies, metrics: projector.metrics, names: source.names, plan: plan,
      dimension: tests.postStratify ?? replay.by)
    for note in projector.notes { table.note(note.name, .text(note.text)) }
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension ReportCompareCommand: WorkedExamples {
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
}
