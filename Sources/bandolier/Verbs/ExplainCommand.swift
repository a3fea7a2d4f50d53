import ArgumentParser
import Reports
import Tables

struct ExplainCommand: ParsableCommand {
  /// The reports, and what `learn` prints, which has a verb of its own.
  static var explained: ReportCatalog { Bandolier.reports.adding(LearningReport.self) }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a report, or a column, check, metric or word of a verdict: formulas, inputs and sources.",
    usage: "bandolier explain <report or term> [<options>]")

  @Argument(
    help: ArgumentHelp(
      "The report: " + explained.all.map { $0.name }.joined(separator: ", ")
        + "; or a column, check, metric or word of a verdict, such as ci_low, crossed_units, converted or "
        + "not valid; or a column of one report, such as rewards.ci_low.",
      valueName: "report or term"), completion: .report)
  var words: [String]

  /// The words as one term: `not valid` needs no quotes.
  private var name: String { words.joined(separator: " ") }

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
    "bandolier explain rewards.ci_low", "bandolier explain not valid",
  ]
}
