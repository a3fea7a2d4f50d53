public import ArgumentParser
import EventLog
import Projections
public import Replay
import Reports
import Tables

extension ConversionSource: ExpressibleByArgument {}

extension ConversionReport: ReportWithOptions {
  typealias CommandOptions = ConversionOptions
}

/// The options of the report `conversions`.
struct ConversionOptions: ReportOptions {
  static let usage = "bandolier report conversions <log or database>\n  [<options>]"

  static let discussion = """
    A unit belongs to the variant of its first exposure (confirmed or repeated decision) at each point and \
    slot of an experiment; one that saw two variants there is left out, and counted. A conversion counts from the first exposure \
    on, for 7 days unless --window says otherwise. What did not count is listed under the table, and under \
    `notes` in JSON.
    """

  static let examples = [
    "bandolier report conversions datasets/storefront.log",
    #"""
    bandolier report conversions datasets/storefront.log \
      --experiment pricing --window none
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "conversions, or goals of the experiments (then without a window unless one is given).",
      valueName: "what"))
  var of: ConversionSource = .conversions

  @OptionGroup var crossing: CrossingOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var capping: CappingOptions

  static var takesDimensions: Bool { true }

  func report() throws -> ConversionReport {
    try ConversionReport(
      of: of, attribution: rules.attribution(since: of, crossing: crossing.crossing),
      capping: capping.capping, level: coverage.level)
  }
}

extension AttributionOptions {
  /// Returns the attribution to first exposures: conversions have a default window, goals have none.
  func attribution(
    since source: ConversionSource, crossing: Attribution.Crossing
  ) -> Attribution {
    attribution(
      rule: .first,
      standardWindow: source == .conversions
        ? ConversionProjector.standardAttribution.window : nil, crossing: crossing)
  }
}
