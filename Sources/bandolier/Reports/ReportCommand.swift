import ArgumentParser
import Reports

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Replay a log into a report.",
    subcommands: verbs + [ReportAllCommand.self])

  /// The verbs of the reports that have options, without `evaluate`, which is a verb of its own.
  private static var verbs: [any ParsableCommand.Type] {
    StandardReports.all.filter { $0 != EvaluationReport.self }.compactMap {
      ($0 as? any ReportWithOptions.Type)?.verb
    }
  }
}
