import ArgumentParser
import Reports
import Tables

struct ExplainCommand: ParsableCommand {
  /// The reports, and what `learn` prints, which has a verb of its own.
  static var explained: ReportCatalog { Bandolier.reports.adding(LearningReport.self) }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain how a report or a column is computed: formulas, inputs and sources.",
    usage: "bandolier explain <report or column> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + explained.all.map { $0.name }.joined(separator: ", ")
        + "; or a column, metric or check of all of them or of one, such as rewards.ci_low.",
      valueName: "report or column"), completion: .report)
  var name: String

  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    do {
      _ = try Self.explained.explanation(of: name)
    } catch let error as ReportError {
      throw ValidationError(error.description)
    }
  }

  func run() throws { try output.write(Self.explained.explanation(of: name)) }
}

extension ExplainCommand: WorkedExamples {
  static let examples = [
    "bandolier explain rewards",
    "bandolier explain compare --format markdown", "bandolier explain rewards.ci_low",
  ]
}
