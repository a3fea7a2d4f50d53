import ArgumentParser

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Inspect and maintain logs.",
    subcommands: [
      LogInfoCommand.self, LogVerifyCommand.self, LogCatCommand.self, LogCompactCommand.self,
      LogEraseCommand.self, LogMergeCommand.self,
      LogRepairCommand.self, LogSplitCommand.self,
    ])
}
