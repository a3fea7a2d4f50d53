import ArgumentParser
import Reports
import Specifications
import Tables

struct ExplainCommand: ParsableCommand {
  /// The reports, and what `learn` prints, which has a verb of its own.
  static var explained: [any Report.Type] { Bandolier.reports.all + [LearningReport.self] }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain how a report is computed: formulas, inputs and sources.",
    usage: "bandolier explain <report> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + explained.map { $0.name }.joined(separator: ", ") + ".",
      valueName: "report"), completion: .report)
  var report: String

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard Self.named(report) == nil else { return }
    throw ValidationError(
      NearestName.unknown("report", report, among: Self.explained.map { $0.name }))
  }

  func run() throws {
    guard let explained = Self.named(report) else { return }
    try output.write(try explained.explanation.table(of: report))
  }

  private static func named(_ name: String) -> (any Report.Type)? {
    explained.first { $0.name == name }
  }
}

extension ExplainCommand: WorkedExamples {
  static let examples = [
    "bandolier explain rewards",
    "bandolier explain compare --format markdown",
  ]
}
