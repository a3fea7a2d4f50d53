import ArgumentParser

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Replay a log into a report.",
    subcommands: [
      ReportRewardsCommand.self, ReportCompareCommand.self, ReportConversionsCommand.self,
      ReportQuantilesCommand.self, ReportRegretCommand.self, ReportAdaptiveCommand.self,
      ReportHealthCommand.self, ReportSeriesCommand.self, ReportVisitsCommand.self,
      ReportFunnelCommand.self, ReportRetentionCommand.self, ReportPowerCommand.self,
      ReportPredictionsCommand.self,
    ])
}
