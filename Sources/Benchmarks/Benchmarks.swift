import ArgumentParser
import EventLog
import Tables

/// Benchmarks of the main job as users run it, with the command `bandolier` as a whole process, and of its parts
/// within this process: scans, checks, opening, appending and deciding; evaluations, predictions and simulations.
///
/// It prints one row for each step, and writes the same as CSV. The wall time of a process includes its start
/// (about 10 ms). Files are in the page cache. Ratios between rows of one run are more reliable than
/// the numbers themselves, because machines are noisy.
@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bandolier-bench",
    abstract: "Measure the main job, its parts, and how their cost grows.",
    subcommands: [
      Measure.self, Rewrite.self, WriteJourneys.self, AskLastTouch.self, DumpColumns.self,
      SimulatePolicies.self, SendRequests.self,
    ], defaultSubcommand: Measure.self)
}

struct Measure: ParsableCommand {
  enum Group: String, CaseIterable, ExpressibleByArgument {
    case job, scan, verify, append, decide, replay, evaluate, sqlite, predict, simulate, serve,
      growth
  }

  static let configuration = CommandConfiguration(
    abstract: "Measure; writes a table to standard output and the same as CSV.")

  @Option(help: "Events of each log.")
  var events = 5_000_000

  @Option(help: "Events of the log of made-up journeys that replay is asked about.")
  var journeyEvents = 50_000_000

  @Option(
    help:
      "Events of the smallest log of --only growth; the largest has 64 times as many, and is exported as JSON Lines."
  )
  var growthEvents = 1_000_000

  @Option(help: "Seed of each log.")
  var seed: UInt64 = 1

  @Option(help: "How often each step is measured; the median counts.")
  var repetitions = 5

  @Option(
    help:
      "Only these steps: \(Group.allCases.map(\.rawValue).joined(separator: ", ")). Can be given more than once."
  )
  var only: [Group] = []

  @Option(help: "The command to measure.")
  var bandolier = ".build/release/bandolier"

  @Option(help: "The service to measure; `make serve` builds it.")
  var server = ".build/release/bandolier-serve"

  @Option(help: "Where the results go as CSV.")
  var output = "notebooks-out/bench.csv"

  @Option(
    help: "Processor time of a job, in seconds, at which --only growth stops it and leaves it out.")
  var growthLimit = 60

  @Option(help: "Where the results of --only growth go as CSV.")
  var growthOutput = "notebooks-out/growth.csv"

  @Option(
    help: "Where they go as Markdown: a page of documentation, whose section \"Growth\" they become.")
  var growthPage = "notebooks-out/growth.md"

  func validate() throws {
    if events < 1 || repetitions < 1 || !(1...1_000_000_000 ~= journeyEvents) {
      throw ValidationError(
        "--events and --repetitions must be at least 1, --journey-events 1 to 1000000000")
    }
    guard 1...15_000_000 ~= growthEvents, growthLimit >= 1 else {
      throw ValidationError(
        "--growth-events must be 1 to 15000000, and --growth-limit at least 1")
    }
  }

  func run() throws {
    let folder = try WorkFolder()
    defer { folder.remove() }
    if only.contains(.growth) { try measureGrowth(folder.path) }
    guard only != [.growth] else { return }
    let job = MainJob(
      bandolier: bandolier, folder: folder.path, events: events, seed: seed)
    if [.job, .scan, .verify].contains(where: isWanted) { try job.makeLog() }
    var table = try BenchmarkTable(Machine.description, seed: seed)
    for step in try steps(job, folder.path) {
      var runs: [Measurement] = []
      for _ in 0..<repetitions {
        try step.prepare()
        runs.append(try step.run())
      }
      try table.add(step, runs)
    }
    if isWanted(.simulate) {
      table.note("two_jobs_to_one", stepsOf: SimulateSteps.twoJobs, by: SimulateSteps.oneJob)
    }
    if isWanted(.job) { table.note(bytesPerEvent: try job.bytesPerEvent()) }
    try table.write(to: output)
  }

  /// Only when asked for, because it takes the disk and the time of 64 million events.
  private func measureGrowth(_ folder: String) throws {
    let steps = GrowthSteps(
      bandolier: bandolier, files: GrowthFiles(folder: folder + "/growth"), smallest: growthEvents,
      repetitions: repetitions, limit: growthLimit, seed: seed)
    let table = try steps.measure()
    try table.table().printAndWrite(to: growthOutput)
    try GrowthPage(table: table).write(to: growthPage)
  }

  private func isWanted(_ group: Group) -> Bool { only.isEmpty || only.contains(group) }

  private func steps(_ job: MainJob, _ folder: String) throws -> [Step] {
    var steps: [Step] = []
    if isWanted(.job) {
      try job.prepare()
      steps += try job.steps()
    }
    let packed = folder + "/packed.log"
    if isWanted(.scan) || isWanted(.verify) {
      try SampleEvents.write(events, seed: seed, to: packed, .fast)
    }
    for (name, path) in [("storefront", job.log), ("packed", packed)] {
      if isWanted(.scan) { steps += try ScanSteps(name: name, path: path).steps() }
      if isWanted(.verify) { steps += try LogSteps(name: name, path: path).steps() }
    }
    if isWanted(.append) { steps += AppendSteps(folder: folder, events: events).steps() }
    if isWanted(.decide) {
      steps += try DecideSteps(folder: folder, decisions: min(events, 500_000)).steps()
    }
    if isWanted(.replay) {
      let journeys = folder + "/journeys.log"
      try JourneyLog.write(journeyEvents, seed: seed, to: journeys, .fast)
      steps += try LastTouchSteps(path: journeys).steps()
    }
    if isWanted(.evaluate) {
      steps += try EvaluateSteps(
        bandolier: bandolier, folder: folder, events: journeyEvents / 5, seed: seed
      ).steps()
    }
    if isWanted(.sqlite) {
      steps += try ReadModelSteps(
        bandolier: bandolier, folder: folder, events: journeyEvents / 5, seed: seed
      ).steps()
    }
    if isWanted(.predict) {
      steps += try PredictSteps(
        bandolier: bandolier, folder: folder, events: events, seed: seed
      ).steps()
    }
    // Only when asked for, because few builds have the service.
    if only.contains(.serve) { steps += try ServeSteps(server: server, folder: folder).steps() }
    if isWanted(.simulate) { steps += try SimulateSteps(seed: seed).steps() }
    return steps
  }
}

/// Rewrites a log with another profile, to compare sizes.
struct Rewrite: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a log again with a compression profile: fast, balanced or small.")

  @Argument(help: "The log.")
  var log: String

  @Argument(help: "The folder of the new log.")
  var target: String

  @Option(help: "The compression profile.", transform: Self.profile)
  var profile = CompressionProfile.balanced

  static func profile(_ name: String) throws -> CompressionProfile {
    guard let profile = CompressionProfile(rawValue: name) else {
      throw ValidationError("--profile must be fast, balanced or small")
    }
    return profile
  }

  func run() throws {
    let writer = try LogWriter(target, options: LogOptions(profile: profile, seed: 1))
    try LogReader(log).forEachEvent { record, _ in try writer.append(parsed: record) }
    try writer.commit()
  }
}
