import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

extension VisitReport: ReportWithOptions {
  typealias CommandOptions = VisitOptions
}

/// The options of the report `visits`.
struct VisitOptions: ReportOptions {
  static let discussion = """
    A visit is the events of a unit, of every kind, without a gap longer than the inactivity. The row with \
    empty keys is of all units; the others have the units that were first exposed to a variant, and \
    their visits from then on.
    """

  static let examples = [
    "bandolier report visits datasets/storefront.log",
    #"""
    bandolier report visits datasets/storefront.log \
      --inactivity 1h
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "Inactivity timeout: the longest gap within a visit, such as 1h; 1 is 1 day (default: 30m).",
      valueName: "duration"),
    transform: OptionValue.duration)
  var inactivity: Int64?

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions

  func report() throws -> VisitReport {
    try VisitReport(
      inactivity: inactivity ?? VisitProjector.standardInactivity,
      crossing: crossing.crossing, level: coverage.level)
  }
}
