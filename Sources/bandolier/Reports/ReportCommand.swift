import ArgumentParser
import Reports

struct ReportCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "report", abstract: "Replay a log into a report.",
      subcommands: verbs + [ReportAllCommand.self])
  }

  /// The verbs of the reports below this one.
  private static var verbs: [any ParsableCommand.Type] {
    Bandolier.reports.all.filter { !$0.isVerbOfItsOwn }.map { $0.verb }
  }
}
