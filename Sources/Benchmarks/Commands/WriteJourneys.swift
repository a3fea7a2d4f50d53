import ArgumentParser
import EventLog

/// Writes the log for the benchmark of questions.
struct WriteJourneys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journeys",
    abstract: "Write a log of made-up journeys: 2,000,000 units through 20 experiments in 60 days.")

  @Argument(help: "The folder of the new log.")
  var log: String

  @Option(help: "How many events.")
  var events = 50_000_000

  @Option(help: "The seed that they are drawn from.")
  var seed: UInt64 = 1

  @Option(help: "The compression profile.", transform: Rewrite.profile)
  var profile = CompressionProfile.fast

  func validate() throws {
    guard 1...1_000_000_000 ~= events else {
      throw ValidationError("--events must be 1 to 1000000000")
    }
  }

  func run() throws { try JourneyLog.write(events, seed: seed, to: log, profile) }
}
