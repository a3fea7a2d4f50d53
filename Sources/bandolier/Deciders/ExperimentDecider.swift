import DecidingCore
import DecidingExperiments
import Events
import Replay

/// Decides with an experiment of a site, or with a flag.
struct ExperimentDecider {
  private let command: DecideCommand
  private let log: LiveLog

  init(_ command: DecideCommand, _ log: LiveLog) {
    self.command = command
    self.log = log
  }

  func decide(_ configuration: ExperimentConfiguration) throws -> JSONValue {
    let client = try log.experiments(siteCode: configuration.siteCode)
    try client.apply(configuration)
    let experiment = ExperimentID(command.experiment)
    do throws(ExperimentError) {
      let answer = try client.answer(
        command.live.unit, experiment, track: !command.provisional)
      return .answer(
        head + [
          ("decision", .string(answer.variation.rawValue)),
          ("propensity", answer.propensity.map { .number($0) }),
          ("reason", .string(answer.reason.rawValue)), ("status", .string(answer.status.name)),
          ("policy", .text(answer.policy?.rawValue)),
        ])
    } catch {
      guard case .experimentConfigurationNotFound = error else { return try kept(out: error) }
    }
    return try flag(client, configuration)
  }

  private var head: [(String, JSONValue?)] {
    [("experiment", .string(command.experiment)), ("unit", .string(command.live.unit))]
  }

  private func flag(
    _ client: ExperimentClient, _ configuration: ExperimentConfiguration
  ) throws -> JSONValue {
    do throws(ExperimentError) {
      let variation = try client.variation(
        of: command.experiment, for: command.live.unit, track: !command.provisional)
      return .answer(
        head + [
          ("decision", .string(variation.key)), ("reason", .string(variation.reason.rawValue)),
          ("propensity", variation.propensity.map { .number($0) }),
          (
            "variables",
            .object(
              JSONObject(
                variation.variables.map { .init(name: $0.key.rawValue, value: $0.value.value) }))
          ),
        ])
    } catch {
      if case .featureNotFound = error { throw unknown(configuration) }
      return try kept(out: error)
    }
  }

  /// Returns the error for an experiment or flag that the configuration does not have, or does not run.
  private func unknown(_ configuration: ExperimentConfiguration) -> any Error {
    let experiments = configuration.experiments.map(\.id.rawValue)
    guard !experiments.contains(command.experiment) else {
      return ExperimentError.experimentConfigurationNotFound(ExperimentID(command.experiment))
    }
    let flags = configuration.other["flags"]?.array?.compactMap { $0["key"]?.string } ?? []
    return Failure(
      exitCode: Failure.badData,
      UnknownName.message(
        command.experiment, noun: "experiment or flag", among: experiments + flags,
        path: command.config ?? "-"))
  }

  /// Returns the answer for an excluded unit: the reference, with the reason. Other errors are thrown.
  private func kept(out error: ExperimentError) throws -> JSONValue {
    let reason: Reason =
      switch error {
      case .notTargeted: .notTargeted
      case .notAllocated: .notAllocated
      case .consentRequired: .noConsent
      case .siteCodeDisabled, .featureDisabled: .disabled
      default: throw error
      }
    return .answer(
      head + [
        ("decision", .string(VariationID.reference.rawValue)),
        ("reason", .string(reason.rawValue)), ("status", .string(EventStatus.excluded.name)),
      ])
  }
}
