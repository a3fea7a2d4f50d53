import ArgumentParser
import Reports

struct ReportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "report", abstract: "Replay a log into a report.",
      subcommands: verbs + [ReportAllCommand.self])
  }

  /// The verbs of the reports, without `evaluate`, which is a verb of its own.
  private static var verbs: [any ParsableCommand.Type] {
    Bandolier.reports.all.filter { $0 != EvaluationReport.self }.map { $0.verb }
  }
}
