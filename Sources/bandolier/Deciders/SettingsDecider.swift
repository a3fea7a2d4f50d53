import DecidingConfig
import Events
import Replay

/// Applies the settings that a server assigned to the unit, and records its group as a decision.
struct SettingsDecider {
  private let command: DecideCommand
  private let log: LiveLog

  init(_ command: DecideCommand, _ log: LiveLog) {
    self.command = command
    self.log = log
  }

  func decide(_ state: ConfigurationState) throws -> JSONValue {
    guard let group = state.meta[command.metaKey]?.string else {
      throw Failure(
        exitCode: Failure.badData,
        UnknownName.message(
          command.metaKey, noun: "group in meta",
          among: state.meta.names.filter { state.meta[$0]?.string != nil },
          path: command.config ?? "-") + " (--meta-key)")
    }
    let settings = ActiveConfig(
      downloader: NoDownloader(), user: command.live.unit, surroundings: log.surroundings(),
      replaying: try log.eventsOfUnit())
    try settings.exposures(
      experiment: ExperimentID(command.experiment), metaKey: command.metaKey)
    try settings.set(state)
    return .answer([
      ("experiment", .string(command.experiment)), ("unit", .string(command.live.unit)),
      ("decision", .string(group)), ("policy", "server"), ("reason", "delivered"),
    ])
  }
}

/// The downloader of settings that come from a file.
private struct NoDownloader: ConfigDownloader {
  func requestConfiguration(user: String?) async throws -> JSONValue? { nil }
}
