import ArgumentParser
import Bandits
import Reports
import Simulations
import Tables
import Threads

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Benchmark policies in simulated environments by their regret.",
    usage: """
      bandolier simulate -e <environment> -p <policy> [...]
      bandolier simulate <plan.yaml> [<options>]
      bandolier simulate --merge <file or folder> [...]
      bandolier simulate --self-test
      """,
    discussion: """
      Runs every policy in every environment, --runs times each. A run depends only on the seed, the environment, the \
      policy and its number, so results are the same on any number of threads, whatever else is simulated. Policies \
      see the same rewards in a run, which allows paired comparisons. `bandolier policies` and `bandolier \
      environments` list the available ones.

      A plan has environments, policies, horizon, runs, seed, checkpoints, batch, paired and warm_start, in YAML; \
      options given with it override it.

      Some environments read a file (path=FILE.csv) or a log (log:path=LOG,experiment=NAME), and the policy \
      learned:path=FILE.json reads what `bandolier learn` wrote. Saved runs depend on their content: if it has \
      changed, they are rejected.
      """)

  @Argument(help: ArgumentHelp("A plan in YAML.", valueName: "plan.yaml"), completion: .yaml)
  var plan: String?

  @OptionGroup(.input) var simulated: SimulatedOptions
  @OptionGroup var running: RunningOptions

  @Flag(help: "Check this program against published numbers; exit with code 3 if one is off.")
  var selfTest = false

  @OptionGroup(.statistics) var coverage: LevelOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup(.output) var shown: SimulatedTableOptions
  @OptionGroup(.output) var recording: RecordingOptions
  @OptionGroup(.output) var columns: ColumnOptions
  @OptionGroup(.output) var output: ReportOutputOptions

  func validate() throws {
    if recording.log != nil, running.isGiven || shown.svg != nil {
      throw ValidationError(
        "--log writes one run and no table; leave --checkpoint, --shard, --merge and --svg out"
      )
    }
    guard !running.merge.isEmpty else { return }
    if plan != nil || simulated.isGiven || running.checkpoint != nil || running.shard != nil {
      throw ValidationError("--merge uses the plan of its files; leave all other options out")
    }
  }

  func run() throws {
    if selfTest { return try testSelf() }
    let sources = SimulationSources(jobs: running.jobs, progress: progress.mode)
    guard running.merge.isEmpty else {
      let (plan, store, damagedLines) = try OutcomeFile.merge(running.merge)
      for line in damagedLines {
        Message.print(
          "note: \(line): the line is damaged; its run is missing unless another file has it")
      }
      // No runs will be simulated, so nothing needs to be learned.
      let prepared = try sources.prepare(plan, makeWarmStart: { _, _ in nil })
      try OutcomeFile.requireSame(sources.read, as: plan)
      do {
        return try write(prepared, store)
      } catch let error as PlanError {
        // A run that no file has.
        throw Failure(exitCode: Failure.badData, error.description)
      }
    }
    var plan = try simulated.plan(from: plan)
    // Saved runs keep the checkpoints of the plan, by which they are recognized.
    if shown.svg != nil, !running.isGiven { plan.recordCurves() }
    var prepared = try sources.prepare(plan, makeWarmStart: sources.warmStart)
    prepared.note(sources: sources.read)
    for note in prepared.scaleNotes { Message.print("note: \(note)") }
    if let log = recording.log { return try recording.record(prepared, into: log, progress) }
    var store = OutcomeStore(prepared.plan)
    try simulate(prepared, &store)
    guard running.shard == nil else { return }
    try write(prepared, store)
  }

  private func testSelf() throws {
    let checks = try SelfTest.checks()
    try output.write(SelfTest.table(checks))
    let failed = checks.count { !$0.isPassed }
    guard failed == 0 else {
      throw Failure(
        exitCode: Failure.checkFailed,
        "\(failed) of \(checks.count) numbers differ from the published ones; do not use this build"
      )
    }
  }

  /// Simulates the missing runs, and saves each when it ends if requested.
  private func simulate(_ prepared: PreparedPlan, _ store: inout OutcomeStore) throws {
    let file = try running.checkpoint.map {
      try OutcomeFile(path: $0, plan: prepared.plan, into: &store)
    }
    for line in file?.damagedLines ?? [] {
      Message.print(
        "note: \(file?.path ?? ""):\(line): the line is damaged; its run is simulated again")
    }
    let runner = SimulationRunner(prepared, shard: running.shard ?? .whole, jobs: running.jobs)
    let done = Monitor(UInt64(store.count))
    Interrupt.postpone()
    do {
      try progress.mode.showing("simulating", of: UInt64(runner.runCount), .count("runs")) { update in
        try runner.run(&store) { outcome, pair, run in
          try file?.append(outcome, pair: pair, run: run)
          let count = done.withLock { done in
            done += 1
            return done
          }
          update(count)
          if count != runner.runCount { try Interrupt.check() }
        }
      }
    } catch var interrupt as Interrupt {
      interrupt.description = interruption(done.withLock { Int($0) }, of: runner.runCount)
      throw interrupt
    }
  }

  /// Returns what an interrupted simulation has saved, and the command that resumes it; or what is lost, and how to
  /// save it the next time.
  private func interruption(_ done: Int, of count: Int) -> String {
    var words = ["bandolier"] + CommandLine.arguments.dropFirst()
    let made = "interrupted after \(done) of \(AnswerText.count(count, "run"))"
    if let path = running.checkpoint {
      return "\(made), which are saved in \(path); resume with: \(words.shellCommand)"
    }
    words += ["--checkpoint", "runs.jsonl"]
    return "\(made), which are lost; to save finished runs and to resume from them: \(words.shellCommand)"
  }

  private func write(_ prepared: PreparedPlan, _ store: OutcomeStore) throws {
    let tables = try SimulationTables(prepared, store, level: coverage.level)
    for file in shown.svg.map(RegretPlot(tables).files) ?? [] {
      try output.output.write(file.text, toFile: file.path)
    }
    try output.write(shown.show.table(of: tables, until: shown.until), columns)
  }
}

/// The options of the table and the plot of a simulation.
struct SimulatedTableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Table to print.",
      valueName: "table"))
  var show: SimulationTable = .regret

  @Option(
    help: ArgumentHelp(
      "The regret whose first time of being reached --show times reports.", valueName: "regret"),
    transform: OptionValue.number)
  var until: Double?

  @Option(
    help: ArgumentHelp(
      "Draw the regret curves into a file, and the regrets at the horizon into FILE_2.svg; further pages go into "
        + "files with higher numbers.",
      valueName: "file.svg"), completion: .svg, transform: OptionValue.svg)
  var svg: String?

  func validate() throws {
    if (show == .times) != (until != nil) {
      throw ValidationError("--show times and --until REGRET require each other")
    }
    if let until, !until.isFinite { throw ValidationError("--until must be a number") }
  }
}

/// The table of a simulation to print.
enum SimulationTable: String, ExpressibleByArgument, CaseIterable {
  case regret, variants, ranking, differences, recommendations, times

  func table(of tables: SimulationTables, until: Double?) throws -> Table {
    switch self {
    case .regret: try tables.regret()
    case .variants: try tables.variants()
    case .ranking: try tables.ranking()
    case .differences: try tables.differences()
    case .recommendations: try tables.recommendations()
    case .times: try tables.times(to: until ?? 0)
    }
  }
}

extension SimulateCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier simulate -e 'bernoulli:means=0.1;0.5' \
      -p thompson -p ucb1 --horizon 1000 --runs 20
    """#,
    #"""
    bandolier simulate -e 'bernoulli:means=0.1;0.5' \
      -p thompson -p ucb1 --horizon 1000 --runs 20 --show ranking
    """#,
    #"""
    bandolier simulate -p ucb1 --horizon 500 --runs 5 \
      -e log:path=datasets/storefront.log,experiment=pricing
    """#,
  ]
}
