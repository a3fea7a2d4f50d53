import ArgumentParser
import Events
import Reports

/// The options common to the verbs of the deciding systems: the log, the unit, the time and the seed.
struct LiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the log; created by the first event that is appended.", valueName: "log"),
    completion: .log)
  var log: String

  @Option(
    help: ArgumentHelp(
      "The unit: a user, visitor, session or device.", valueName: "unit"))
  var unit: String

  @Option(
    help: ArgumentHelp(
      "The time of the events, instead of now: ISO 8601 with an offset, or a number since 1970.",
      valueName: "time"),
    transform: OptionValue.time)
  var time: Timestamp?

  @Option(
    help: ArgumentHelp(
      "Draw numbers and ids from this seed and the position in the log: the same log and the same seed give "
        + "the same bytes. Without it they are drawn from the system.",
      valueName: "seed"), transform: OptionValue.integer)
  var seed: UInt64?

  func validate() throws {
    if unit.isEmpty { throw ValidationError("--unit must not be empty") }
  }
}
