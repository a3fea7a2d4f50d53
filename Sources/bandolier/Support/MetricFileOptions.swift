import ArgumentParser
import Reports

/// The option of a file of named metrics.
struct MetricFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File of named metrics (YAML), which --metric or the analysis file names; see `bandolier help metrics`.",
      valueName: "file"), completion: .yaml)
  var metrics: String?

  /// Reads the file; none without one.
  ///
  /// - Throws: `ReportError` with the line, `ImportError` if the file cannot be read.
  func file() throws -> MetricFile {
    guard let metrics else { return .none }
    return try MetricFile(yaml: AnalysisOptions.text(metrics), path: metrics)
  }
}
