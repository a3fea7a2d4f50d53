public import ArgumentParser
import EventLog
import Replay
public import Reports
import Tables

extension PowerMethod: ExpressibleByArgument {}

struct ReportPowerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "How many units an experiment needs, and what it could have found by now.",
    usage: """
      bandolier report power <log or database> [<options>]
      bandolier report power --rate <rate> [<options>]
      bandolier report power --mean <m> --sd <s> [<options>]
      """,
    discussion: """
      With a log, mean and variance are those of each experiment's baseline; a ratio has its own variance. Without \
      one they are given. `bandolier explain power` has the formulas.
      """)

  @Argument(help: ArgumentHelp("The folder of the log.", valueName: "log"))
  var log: String?

  @OptionGroup var metrics: MetricOptions

  @Option(help: ArgumentHelp("The relative lift to be found.", valueName: "lift"))
  var lift = 0.05

  @Option(help: ArgumentHelp("With what probability.", valueName: "power"))
  var power = 0.8

  @Option(help: ArgumentHelp("Level of the two-sided test.", valueName: "level"))
  var alpha = 0.05

  @Option(
    help: ArgumentHelp(
      "t, z, exact-z; of 0/1 metrics unpooled, pooled or arcsine (unpooled for these, else t).",
      valueName: "method"))
  var method: PowerMethod?

  @Option(
    help: ArgumentHelp(
      "The variant whose mean and variance are taken (control, baseline or A, else the first).",
      valueName: "variant"))
  var baseline: String?

  @Option(help: ArgumentHelp("Without a log: the share of units that convert.", valueName: "rate"))
  var rate: Double?

  @Option(help: ArgumentHelp("Without a log: the mean of a unit.", valueName: "mean"))
  var mean: Double?

  @Option(help: ArgumentHelp("Without a log: the standard deviation.", valueName: "sd"))
  var sd: Double?

  @Option(
    help: ArgumentHelp("Without a log: units per variant that there are.", valueName: "count"))
  var units: Int?

  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard power > 0, power < 1 else { throw ValidationError("--power must be between 0 and 1") }
    guard alpha > 0, alpha < 1, 1 - alpha < 1 else {
      throw ValidationError("--alpha must be between 0 and 1, such as 0.05")
    }
    guard power > alpha else { throw ValidationError("--power must be above --alpha") }
    guard lift != 0, lift.isFinite else { throw ValidationError("--lift must not be 0") }
    if replay.by != nil { throw ValidationError("--by is not for this report") }
    if log != nil {
      if rate != nil || mean != nil || sd != nil || units != nil {
        throw ValidationError("--rate, --mean, --sd and --units are for use without a log")
      }
    } else {
      try validateNumbers()
    }
  }

  private func validateNumbers() throws {
    guard (rate != nil) != (mean != nil), (mean != nil) == (sd != nil) else {
      throw ValidationError("name a log, or give --rate, or --mean and --sd")
    }
    if let rate, !(rate > 0 && rate < 1) {
      throw ValidationError("--rate must be between 0 and 1")
    }
    if let mean, !mean.isFinite || mean == 0 { throw ValidationError("--mean must not be 0") }
    if let sd, !(sd > 0 && sd.isFinite) { throw ValidationError("--sd must be above 0") }
    if let units, units < 2 { throw ValidationError("--units must be at least 2") }
    guard metrics.metric.isEmpty, baseline == nil else {
      throw ValidationError("--metric and --baseline need a log")
    }
  }

  func run() throws {
    var plan = PowerPlan()
    (plan.method, plan.power, plan.alpha, plan.lift) = (method, power, alpha, lift)
    plan.baseline = baseline
    guard let log else {
      try output.write(try PowerReport.table(numbers, plan: plan))
      return
    }
    var argument = LogArgument()
    argument.log = log
    try replay.reading(
      argument, names: [.points, .slots, .variants, .goals], end: metrics.rules.end
    ) { try report($0, plan) }
  }

  private var numbers: PowerReport.Baseline {
    if let rate { return .init(rate: rate, units: units) }
    return .init(mean: mean ?? 0, standardDeviation: sd ?? 0, units: units)
  }

  private func report(_ source: ReportSource, _ plan: PowerPlan) throws {
    if let baseline { try source.lookup.code(of: baseline, in: .variants) }
    var projector = try metrics.projector(source)
    projector.countsDays = true
    let tallies = try source.run(units: projector)
    try source.require(baseline, among: tallies.segments.keys.map(\.arm.variant))
    var table = try PowerReport.table(
      tallies, metrics: projector.metrics, names: source.names, plan: plan)
    for note in projector.notes { table.note(note.name, .text(note.text)) }
    table.note(lossesOf: source)
    try output.write(table, of: source)
  }
}

extension ReportPowerCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier report power datasets/storefront.log \
      --metric converted --lift 0.1
    """#,
    "bandolier report power --rate 0.05 --lift 0.1",
  ]
}
