import ArgumentParser

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Look after a log.",
    subcommands: [
      LogInfoCommand.self, LogVerifyCommand.self, LogCatCommand.self, LogCompactCommand.self,
      LogEraseCommand.self, LogMergeCommand.self,
      LogRepairCommand.self, LogSplitCommand.self,
    ])
}
