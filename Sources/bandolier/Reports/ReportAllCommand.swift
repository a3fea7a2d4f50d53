import ArgumentParser
import EventLog
import Events
import Replay
import Reports
import Tables

/// The verb `report all`: makes every report of a log and writes them as a folder.
struct ReportAllCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Write every report of a log into one folder.",
    usage: """
      bandolier report all <log> --output <folder> [<options>]
      bandolier report all <log> --suggest [<options>]
      """,
    discussion: """
      The folder has a page to open in a browser (report.html), the same as Markdown and as a notebook, a CSV file \
      for each table with a schema, the plots, an SQLite database and a manifest. Reports have their default \
      parameters; those for which the log lacks something are left out, which README.md explains. The same log, \
      options and version give the same bytes, except for the times in manifest.json.

      The folder appears when it is complete. --force replaces a folder that an earlier report all has written, and no \
      other.
      """)

  @OptionGroup var log: LogArgument

  @OptionGroup(.input) var analysis: AnalysisOptions
  @OptionGroup var replay: ReplayOptions<Never>
  @OptionGroup(.metrics) var named: MetricFileOptions
  @OptionGroup(.metrics) var measured: BookMetricOptions
  @OptionGroup(.statistics) var compared: BookBaselineOptions
  @OptionGroup(.output) var written: BookFolderOptions

  func validate() throws {
    if written.suggest, written.output != nil || analysis.analysis != nil {
      throw ValidationError(
        "--suggest prints an analysis file and writes no folder; leave out --output and --analysis")
    }
    if !written.suggest, written.output?.isEmpty ?? true || written.output == "-" {
      throw ValidationError("--output needs the name of a folder")
    }
    if replay.by != nil {
      throw ValidationError("--by is not available for report all; use it with one report")
    }
    guard named.metrics == nil else { return }
    do {
      _ = try settings(nil, .none)
    } catch let error as OptionError {
      throw ValidationError("--metric: \(error)")
    }
  }

  func run() throws {
    guard !log.isDatabase else {
      throw Failure(
        exitCode: Failure.usage,
        "\(log.log) is a database, which does not have all that the reports need; give the log that it was made from"
      )
    }
    guard let output = written.output else { return try printSuggestion() }
    let metrics = try named.file()
    let plan = try analysis.plan(replay.timeZone, naming: metrics)
    if named.metrics != nil, plan == nil, measured.metric.isEmpty {
      throw ValidationError("--metrics \(metrics.unused("--"))")
    }
    let settings = try settings(plan, metrics)
    let replay = replay.zoned(plan?.calendar)
    let start = ReportFolder.now
    // Before the folder is there: an interrupt between the two would leave it behind.
    Interrupt.postpone()
    let folder = try ReportFolder(path: output, force: written.force, log: log.log)
    do {
      try replay.replaying(log, [], label: "reporting") {
        try write($0, replay, settings, to: folder, start)
      }
    } catch {
      folder.abandon()
      throw error
    }
    Message.print("\(output): open report.html; README.md lists the files")
  }

  /// Prints an analysis file of the selected experiments.
  private func printSuggestion() throws {
    try replay.replaying(log, []) { replayed in
      let plan = try AnalysisPlan.suggested(for: replayed.replay, replayed.selection)
      guard !plan.entries.isEmpty else {
        return Message.print("note: no experiment has units, so there is nothing to suggest")
      }
      let text = """
        # Made by report all --suggest from what the log contains. Choose the metric that decides, guardrails such as
        # {metric: visits, margin: 0.02}, and the smallest effect worth finding, and leave out what you do not need.

        """
      try StandardOutput().append(Array((text + plan.yaml).utf8))
    }
  }

  private func write(
    _ replayed: ReplayOptions<Never>.Replayed, _ replay: ReplayOptions<Never>,
    _ settings: BookSettings, to folder: ReportFolder, _ start: String
  ) throws {
    let builder = try BookBuilder(
      replayed.replay, replayed.selection, settings: settings,
      message: { Message.print($0) }, willRun: { _ in try Interrupt.check() })
    let book = try builder.book()
    try folder.write(book, of: replayed.replay, spreadsheetSafe: written.spreadsheetSafe) {
      BookManifest.Run(
        version: Bandolier.configuration.version, commit: ReportFolder.commit,
        arguments: CommandLine.arguments,
        settings: resolved(settings.analysis, replay), seeds: [(EvaluationReport.name, settings.seed)],
        logDigest: try Digest.sha256(of: replayed.replay.log), start: start, end: ReportFolder.now)
    }
  }

  /// The options as they apply; those of reports are with each report.
  private func resolved(
    _ plan: AnalysisPlan?, _ replay: ReplayOptions<Never>
  ) -> [(name: String, value: String)] {
    let lists = [
      ("experiment", replay.experiment), ("without_reason", replay.withoutReason),
      ("metric", measured.metric),
    ].filter { !$0.1.isEmpty }.map { ($0.0, $0.1.joined(separator: ",")) }
    let values = [
      ("since", replay.sinceTime?.description), ("until", replay.untilTime?.description),
      ("time_zone", replay.calendar.isUTC ? nil : replay.calendar.zone),
      ("baseline", compared.baseline), ("steps", measured.steps), ("analysis", plan?.yaml),
    ].compactMap { name, value in value.map { (name, $0) } }
    return
      (lists + values + [
        ("damaged", replay.damage.damaged.rawValue), ("spreadsheet_safe", "\(written.spreadsheetSafe)"),
      ]).map { (name: $0.0, value: $0.1) }
  }

  private func settings(_ plan: AnalysisPlan?, _ metrics: MetricFile) throws -> BookSettings {
    var settings = try BookSettings(
      title: "Reports of \(Self.name(of: log.log))",
      metrics: measured.metric.isEmpty ? nil : OptionValue.metrics(measured.metric, metrics),
      baseline: compared.baseline,
      steps: measured.steps.map { $0.split(separator: ",").map(String.init) }, analysis: plan)
    settings.reports = Bandolier.reports
    return settings
  }

  /// Returns the last part of a path.
  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// The options of what all reports measure.
struct BookMetricOptions: ParsableArguments {
  @Option(
    name: .customLong("metric"),
    help: ArgumentHelp(
      "A metric to compare variants by, such as reward, converted, revenue or converted:goal=purchase; can be given "
        + "more than once (default: what the log has of reward, converted and revenue).",
      valueName: "metric"), completion: .metric)
  var metric: [String] = []

  @Option(
    help: ArgumentHelp(
      "Steps of the funnel, in order, such as view,cart,purchase (default: all goals, each on its own).",
      valueName: "goals"))
  var steps: String?
}

/// The option of what all reports compare with.
struct BookBaselineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The variant that others are compared with (default: the one \(BaselineRule.text)).",
      valueName: "variant"))
  var baseline: String?
}

/// The options of the folder of all reports.
struct BookFolderOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder to create.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Flag(help: "Replace the folder if an earlier report all has written it.")
  var force = false

  @Flag(name: .long, help: "Prefix CSV texts that a spreadsheet would read as formulas with '.")
  var spreadsheetSafe = false

  @Flag(
    help:
      "Print an analysis file for --analysis instead, made from what the log contains, to complete by hand."
  )
  var suggest = false
}

extension ReportAllCommand: WorkedExamples {
  static let examples = [
    "bandolier report all datasets/storefront.log -o storefront",
    #"""
    bandolier report all datasets/storefront.log -o pricing \
      --experiment pricing --steps click,purchase
    """#,
  ]
}
