import ArgumentParser
import Reports
import Statistics
import Tables

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say how a report is computed: formulas, inputs, and where they come from.",
    usage: "bandolier explain <report> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + Explanations.all.map(\.report).joined(separator: ", ") + ".",
      valueName: "report"))
  var report: String

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard Explanations.of(report) == nil else { return }
    throw ValidationError(
      "\"\(report)\" is no report"
        + NearestName.choices(for: report, among: Explanations.all.map(\.report)))
  }

  func run() throws {
    guard let explanation = Explanations.of(report) else { return }
    try output.write(try explanation.table())
  }
}

extension ExplainCommand: WorkedExamples {
  static let examples = [
    "bandolier explain rewards",
    "bandolier explain compare --format markdown",
  ]
}
