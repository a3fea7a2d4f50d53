import ArgumentParser
import Reports
import Statistics
import Tables

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain how a report is computed: formulas, inputs and sources.",
    usage: "bandolier explain <report> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + StandardReports.all.map { $0.name }.joined(separator: ", ") + ".",
      valueName: "report"), completion: .report)
  var report: String

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard StandardReports.named(report) == nil else { return }
    throw ValidationError(
      NearestName.unknown("report", report, among: StandardReports.all.map { $0.name }))
  }

  func run() throws {
    guard let explained = StandardReports.named(report) else { return }
    try output.write(try explained.explanation.table(of: report))
  }
}

extension ExplainCommand: WorkedExamples {
  static let examples = [
    "bandolier explain rewards",
    "bandolier explain compare --format markdown",
  ]
}
