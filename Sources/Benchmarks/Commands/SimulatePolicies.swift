import ArgumentParser
import Statistics
import Tables

/// Simulates policies on one thread, as the peers do.
struct SimulatePolicies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate policies on one thread as CSV: steps per second and the regret.",
    discussion: "Steps per second are those of a second of the processor, of the median repetition."
  )

  @Option(help: "A policy, such as ucb1. Can be given more than once.")
  var policy: [String]

  @Option(help: "The environment, such as bernoulli:means=0.1;0.9.")
  var environment = SimulateSteps.nineArms

  @Option(help: "Decisions of a run.")
  var horizon = SimulateSteps.horizon

  @Option(help: "Runs of each policy.")
  var runs = 200

  @Option(help: "What all randomness follows from.")
  var seed: UInt64 = 1

  @Option(help: "How often the runs are made; the median counts.")
  var repetitions = 3

  func validate() throws {
    if horizon < 1 || !(2...10_000_000 ~= runs) || repetitions < 1 {
      throw ValidationError(
        "--horizon and --repetitions must be at least 1, --runs 2 to 10000000")
    }
  }

  func run() throws {
    var table = try Table(
      name: "simulations", title: "Simulations",
      columns: [
        .key("policy", .text, "what chose"), .key("environment", .text, "where"),
        .measure("horizon", .integer, "decisions of a run"),
        .measure("runs", .integer, "runs"),
        .measure("regret", .decimal, "mean over the runs of the regret after all decisions"),
        .measure("standard_error", .decimal, "its standard error"),
        .measure("steps_per_second", .decimal, "decisions per second of the processor, median"),
        .measure("steps_per_second_min", .decimal, "those of the slowest repetition"),
        .measure("steps_per_second_max", .decimal, "those of the fastest repetition"),
      ])
    for name in policy {
      let measured = try MeasuredPolicy(
        name, in: environment, horizon: horizon, runs: runs, seed: seed)
      let repeated = try (0..<repetitions).map { _ in try measured.run() }
      let moments = Moments(repeated[0].regrets)
      let speeds = repeated.map { Double(runs) * Double(horizon) / $0.took.cpuSeconds }.sorted()
      try table.append(row: [
        .text(name), .text(environment), .integer(horizon), .integer(runs),
        .decimal(moments.mean ?? 0), .decimal(moments.standardError ?? 0),
        .decimal(speeds[repetitions / 2].rounded()), .decimal(speeds[0].rounded()),
        .decimal(speeds[repetitions - 1].rounded()),
      ])
    }
    try StandardOutput().append(Tables.write(table, as: .csv))
  }
}
