import DecidingCore
import DecidingRollouts
import Events
import Replay

/// Decides with a rollout.
struct RolloutDecider {
  private let command: DecideCommand
  private let log: LiveLog

  init(_ command: DecideCommand, _ log: LiveLog) {
    self.command = command
    self.log = log
  }

  func decide(_ configuration: RolloutConfiguration) throws -> JSONValue {
    var locale = UserLocale.system
    if let language = command.language { locale.languages = [language] }
    if let country = command.country { locale.region = country }
    let rollouts = Rollouts(
      unit: command.live.unit, surroundings: log.surroundings(locale: locale),
      replaying: try log.eventsOfUnit())
    try rollouts.setup(configuration)
    let result = rollouts.result(experiment: command.experiment, default: command.default ?? "")
    if result.reason == .notRecorded { throw log.refusal }
    if result.reason == .unknownExperiment {
      Message.print(
        "warning: the default is returned: "
          + UnknownName.message(
            command.experiment, noun: "experiment",
            among: configuration.experiments.map(\.name.rawValue), path: command.config ?? "-"))
    }
    return .answer([
      ("experiment", .string(command.experiment)), ("unit", .string(command.live.unit)),
      ("decision", .string(result.value)), ("variant", .text(result.variant?.rawValue)),
      ("propensity", result.propensity.map { .number($0) }),
      ("reason", .string(result.reason.rawValue)), ("number", result.number.map { .number($0) }),
      ("isDefault", .boolean(result.isDefault)),
    ])
  }
}
