import ArgumentParser

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Replay a log into a report.",
    subcommands: [ReportRewardsCommand.self, ReportCompareCommand.self, ReportPowerCommand.self])
}
