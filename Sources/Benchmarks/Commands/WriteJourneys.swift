import ArgumentParser
import EventLog

/// Writes the log for the benchmark of questions.
struct WriteJourneys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journeys",
    abstract: "Write a log of made-up journeys: units through experiments in 60 days.")

  @Argument(help: "The folder of the new log.")
  var log: String

  @Option(help: "How many events.")
  var events = 50_000_000

  @Option(help: "How many units.")
  var units = 2_000_000

  @Option(help: "One experiment with so many variants. (default: 20 experiments with 2 to 5 each)")
  var variants: Int?

  @Option(help: "With --variants, so many experiments, each unit in one of them.")
  var experiments = 1

  @Flag(help: "With --variants, decisions have the probabilities of all of them.")
  var probabilities = false

  @Option(help: "The seed that they are drawn from.")
  var seed: UInt64 = 1

  @Option(help: "The compression profile.", transform: Rewrite.profile)
  var profile = CompressionProfile.fast

  func validate() throws {
    guard 1...1_000_000_000 ~= events else {
      throw ValidationError("--events must be 1 to 1000000000")
    }
    guard 1...10_000_000 ~= units, 1...1_000_000 ~= variants ?? 1, 1...1_000_000 ~= experiments
    else {
      throw ValidationError(
        "--units must be 1 to 10000000, and --variants and --experiments 1 to 1000000")
    }
  }

  func run() throws {
    try JourneyLog.write(
      events, seed: seed, to: log, profile,
      JourneyNames(
        unitCount: units, evenVariantCount: variants, experimentCount: experiments,
        hasProbabilities: probabilities))
  }
}
