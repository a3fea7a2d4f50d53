public import ArgumentParser
import EventLog
import Projections
public import Replay
import Reports
import Tables

extension ConversionSource: ExpressibleByArgument {}

struct ReportConversionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversions",
    abstract: "What the units of each variant did after their first exposure, by goal.",
    usage: "bandolier report conversions <log or database>\n  [<options>]",
    discussion: """
      A unit belongs to the variant of its first exposure (confirmed or repeated decision) at each point and \
      slot of an experiment; one that saw two variants there is left out, and counted. A conversion counts from the first exposure \
      on, for 7 days unless --window says otherwise. What did not count is listed under the table, and under \
      `notes` in JSON.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "conversions, or goals of the experiments (then without a window unless one is given).",
      valueName: "what"))
  var of: ConversionSource = .conversions

  @OptionGroup var crossing: CrossingOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var capping: CappingOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    if let model = replay.readModel(log, where: isReady) {
      let kept = try model.conversions()
      let table = try ConversionReport.table(
        kept.result, names: kept.names, level: coverage.level)
      return try output.write(table)
    }
    try replay.reading(log, names: [.variants, .goals], end: rules.end) { try report($0) }
  }

  /// Whether the report is the one that databases hold.
  private var isReady: Bool {
    of == .conversions && capping.capping == nil
      && rules.attribution(since: of, crossing: crossing.crossing)
        == ConversionProjector.standardAttribution
  }

  private func report(_ source: ReportSource) throws {
    let projector = ConversionProjector(
      rules.attribution(since: of, crossing: crossing.crossing), of: of, capping: capping.capping)
    let tallies = try source.run(units: projector)
    var table = try ConversionReport.table(
      tallies, names: source.names, projector: projector, dimension: replay.by,
      level: coverage.level)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }
}

extension AttributionOptions {
  /// The attribution to first exposures: conversions have a window unless the options say otherwise, goals have none.
  func attribution(
    since source: ConversionSource, crossing: Attribution.Crossing
  ) -> Attribution {
    attribution(
      rule: .first,
      standardWindow: source == .conversions
        ? ConversionProjector.standardAttribution.window : nil, crossing: crossing)
  }
}

extension ReportConversionsCommand: WorkedExamples {
  static let examples = [
    "bandolier report conversions datasets/storefront.log",
    #"""
    bandolier report conversions datasets/storefront.log \
      --experiment pricing --window none
    """#,
  ]
}
