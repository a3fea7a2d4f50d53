import ArgumentParser
import Reports
import Tables

struct ExplainCommand: ParsableCommand {
  /// The reports, and what `learn` prints, which has a verb of its own.
  static var explained: ReportCatalog { Bandolier.reports.adding(LearningReport.self) }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain how a report is computed: formulas, inputs and sources.",
    usage: "bandolier explain <report> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + explained.all.map { $0.name }.joined(separator: ", ") + ".",
      valueName: "report"), completion: .report)
  var report: String

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    do throws(ReportError) {
      _ = try Self.explained.named(report)
    } catch {
      throw ValidationError(error.description)
    }
  }

  func run() throws {
    try output.write(Self.explained.named(report).explanation.table(of: report))
  }
}

extension ExplainCommand: WorkedExamples {
  static let examples = [
    "bandolier explain rewards",
    "bandolier explain compare --format markdown",
  ]
}
