import ArgumentParser
import Bandits
import Reports
import Simulations

/// The options of a simulation's plan.
struct SimulatedOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: ArgumentHelp(
      "An environment, which draws the rewards, such as 'bernoulli:means=0.1;0.9'; can be given more than once.",
      valueName: "environment"), completion: .environment)
  var environment: [String] = []

  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: ArgumentHelp(
      "A policy, such as thompson or ucb:alpha=1; can be given more than once.",
      valueName: "policy"), completion: .policy)
  var policy: [String] = []

  @Option(
    help: ArgumentHelp("Decisions in a run (default: 10000).", valueName: "count"),
    transform: OptionValue.integer)
  var horizon: Int?

  @Option(
    help: ArgumentHelp(
      "Runs of each policy in each environment (default: 100).", valueName: "count"),
    transform: OptionValue.integer)
  var runs: Int?

  @Option(
    help: ArgumentHelp("Seed of all random numbers (default: 1).", valueName: "seed"),
    transform: OptionValue.integer)
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "log for 1, 2, 5, 10, ..., linear:COUNT, or steps such as 100,1000 (default: log).",
      valueName: "steps"), transform: Self.checkpoints)
  var checkpoints: Checkpoints?

  @Option(
    help: ArgumentHelp(
      "Batch size: the number of decisions after which a policy learns their rewards (default: 1).",
      valueName: "count"),
    transform: OptionValue.integer)
  var batch: Int?

  @Flag(help: "Draw independent rewards for each policy.")
  var unpaired = false

  @Option(
    help: ArgumentHelp(
      "Warm start: let policies learn the decisions of a log first: log:path=LOG,experiment=NAME.",
      valueName: "log"))
  var warmStart: String?

  private static func checkpoints(_ text: String) throws -> Checkpoints {
    if let checkpoints = Checkpoints(text) { return checkpoints }
    throw ValidationError(
      "\"\(text)\" is not a list of steps; write log, linear:COUNT, or steps such as 100,1000")
  }

  /// Whether any of these options was given.
  var isGiven: Bool {
    !environment.isEmpty || !policy.isEmpty || horizon != nil || runs != nil || seed != nil
      || checkpoints != nil || batch != nil || unpaired || warmStart != nil
  }

  /// Returns the plan of a file, if one is named, combined with the given options.
  func plan(from path: String?) throws -> SimulationPlan {
    var plan = try path.map { try SimulationPlan(contentsOf: $0) } ?? SimulationPlan()
    if !environment.isEmpty { plan.environments = environment }
    if !policy.isEmpty { plan.policies = policy }
    plan.rules.horizon = horizon ?? plan.rules.horizon
    plan.rules.checkpoints = checkpoints ?? plan.rules.checkpoints
    plan.rules.batch = batch ?? plan.rules.batch
    plan.runs = runs ?? plan.runs
    plan.seed = seed ?? plan.seed
    plan.warmStart = warmStart ?? plan.warmStart
    if unpaired { plan.isPaired = false }
    return plan
  }
}

/// The options of running a simulation.
struct RunningOptions: ParsableArguments {
  @Option(
    help: "Number of threads; the result does not depend on it (default: all processors).",
    transform: OptionValue.positive)
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Save finished runs to a file, and resume from it.",
      valueName: "file"), completion: .anyFile)
  var checkpoint: String?

  @Option(
    help: ArgumentHelp(
      "Simulate one part of the runs of all pairs of environment and policy, such as 1/4, and save it to the file of "
        + "--checkpoint.",
      valueName: "i/n"),
    transform: Self.shard)
  var shard: Shard?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Merge saved runs: a file of --checkpoint, or a folder of them; can be given more than once.",
      valueName: "file or folder"),
    completion: .anyFile)
  var merge: [String] = []

  private static func shard(_ text: String) throws -> Shard {
    if let shard = Shard(text) { return shard }
    throw ValidationError(
      "\"\(text)\" is not a part of the runs; write its number and that of all parts, such as 1/4")
  }

  /// Whether any of these options was given, except for threads.
  var isGiven: Bool { checkpoint != nil || shard != nil || !merge.isEmpty }

  func validate() throws {
    if shard != nil, checkpoint == nil {
      throw ValidationError("--shard needs --checkpoint FILE, which is what --merge takes")
    }
  }
}
