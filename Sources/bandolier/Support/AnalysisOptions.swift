import ArgumentParser
import Events
import Interchange
import Reports

/// The option of an analysis file.
struct AnalysisOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Analysis file (YAML) with baseline, dates, goal metric, guardrails, dimensions and shares of each experiment; \
      other options take precedence. See `bandolier explain decisions`.
      """, valueName: "file"), completion: .yaml)
  var analysis: String?

  /// The size of the largest file that is read, in bytes.
  private static let largest = 1 << 20

  /// Reads the plan, which may name metrics; nil without a file. Its dates are of a time zone that is given, or else of
  /// its own.
  ///
  /// - Throws: `ReportError` with the line, `ImportError` if the file cannot be read.
  func plan(_ calendar: DayCalendar?, naming metrics: MetricFile) throws -> AnalysisPlan? {
    guard let analysis else { return nil }
    return try AnalysisPlan(
      yaml: Self.text(analysis), path: analysis, metrics: metrics, calendar: calendar)
  }

  static func text(_ path: String) throws -> String {
    let bytes = try WholeInput.bytes(path, limit: largest) { Interrupt.waitForInput($0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
