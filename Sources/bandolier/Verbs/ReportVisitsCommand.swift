import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

struct ReportVisitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visits",
    abstract: "How often units came, for how long, and with what result.",
    usage: "bandolier report visits <log or database> [<options>]",
    discussion: """
      A visit is the events of a unit, of every kind, without a gap longer than the inactivity. The row with \
      empty keys is of all units; the others have the units that were first exposed to a variant, and \
      their visits from then on.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "The longest gap within a visit (default: 30min).", valueName: "duration"))
  var inactivity: DurationArgument?

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants]) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let projector = VisitProjector(
      inactivity: inactivity?.microseconds ?? VisitProjector.standardInactivity,
      crossing: crossing.crossing)
    let tallies = try source.run(units: projector)
    var table = try VisitReport.table(
      tallies, of: projector, names: source.names, dimension: replay.by, level: coverage.level)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

extension ReportVisitsCommand: WorkedExamples {
  static let examples = [
    "bandolier report visits datasets/storefront.log",
    #"""
    bandolier report visits datasets/storefront.log \
      --inactivity 1h
    """#,
  ]
}
