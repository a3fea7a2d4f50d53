import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

/// The verb `metrics`: looks after a file of named metrics.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Check and list the named metrics of a file.",
    discussion: """
      A metric is defined once, with the direction in which it is better, and then asked for by its name: with \
      --metrics and --metric, and in analysis files, which may have definitions of their own under the key metrics.

      The file has metrics by name under the key metrics. A metric is a text as in --metric, or has keys:

      \(MetricFile.keys.map { "\($0.name): \($0.meaning)." }.joined(separator: "\n"))
      """, subcommands: [Check.self, List.self, Differences.self])

  /// The verb `metrics check`.
  struct Check: ParsableCommand, WorkedExamples {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check a file of metrics, and that a log has their goals.")
    static let examples = [
      "bandolier metrics check datasets/metrics.yaml",
      #"""
      bandolier metrics check datasets/metrics.yaml \
        datasets/storefront.log
      """#,
    ]

    @Argument(help: "The file of metrics, or an analysis file that has some (YAML).", completion: .yaml)
    var file: String

    @Argument(help: "The folder of a log that has their goals.", completion: .log)
    var log: String?

    func run() throws {
      let metrics = try MetricFile(yaml: AnalysisOptions.text(file), path: file)
      if let log { try metrics.check(LogReader(log), of: file) }
      let count = AnswerText.count(metrics.definitions.count, "metric")
      Message.print("\(file): \(count)\(log == nil ? "" : ", and the log has their goals")")
    }
  }

  /// The verb `metrics list`.
  struct List: ParsableCommand, WorkedExamples {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the metrics of a file.",
      usage: "bandolier metrics list <file> [<options>]")
    static let examples = [
      "bandolier metrics list datasets/metrics.yaml",
      "bandolier metrics list datasets/metrics.yaml --format markdown",
    ]

    @Argument(help: "The file of metrics, or an analysis file that has some (YAML).", completion: .yaml)
    var file: String
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var output: ReportOutputOptions

    func run() throws {
      let metrics = try MetricFile(yaml: AnalysisOptions.text(file), path: file)
      try output.write(try metrics.table, columns)
    }
  }

  /// The verb `metrics diff`.
  struct Differences: ParsableCommand, WorkedExamples {
    static let configuration = CommandConfiguration(
      commandName: "diff", abstract: "Say which experiments read differently under changed metrics.",
      usage: "bandolier metrics diff <old> <new> <log> [<options>]",
      discussion: """
        Compares the variants of each experiment by each metric that changed, by the old and by the new definition.
        """)
    static let examples = [
      #"""
      bandolier metrics diff datasets/metrics.yaml \
        datasets/metrics.yaml datasets/storefront.log
      """#,
      #"""
      bandolier metrics diff datasets/metrics.yaml \
        datasets/metrics.yaml datasets/storefront.log --format csv
      """#,
    ]

    @Argument(help: "The file of metrics as it was (YAML).", completion: .yaml)
    var old: String
    @Argument(help: "The file of metrics as it is to be (YAML).", completion: .yaml)
    var new: String
    @OptionGroup var log: LogArgument
    @OptionGroup var replay: ReplayOptions<Never>
    @OptionGroup var columns: ColumnOptions
    @OptionGroup var output: ReportOutputOptions

    func run() throws {
      let (before, after) = try (
        MetricFile(yaml: AnalysisOptions.text(old), path: old),
        MetricFile(yaml: AnalysisOptions.text(new), path: new)
      )
      try replay.replaying(log, [], label: "comparing") { replayed in
        let table = try MetricDifferences(before, after).table(of: replayed.replay, replayed.selection)
        try output.write(table, columns)
      }
    }
  }
}
