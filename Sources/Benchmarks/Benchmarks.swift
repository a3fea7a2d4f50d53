import ArgumentParser
import Reports

/// Measures the main job as its users meet it: the command `bandolier` as a whole process, on a generated log.
///
/// It prints one row for each step, and writes the same as CSV. Wall time is that of the process; the share of
/// starting it (about 10 ms) is not taken off. Ratios between rows of one run can be trusted further than the
/// numbers themselves, because machines are noisy.
@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bandolier-bench",
    abstract: "Measure import, replay and report on a generated log.")

  @Option(help: "Events of the generated log.")
  var events = 5_000_000

  @Option(help: "Seed of the generated log.")
  var seed: UInt64 = 1

  @Option(help: "How often each step is measured; the median counts.")
  var repetitions = 5

  @Option(help: "The command to measure.")
  var bandolier = ".build/release/bandolier"

  @Option(help: "Where the results go as CSV.")
  var output = "notebooks-out/bench.csv"

  func validate() throws {
    if events < 1 || repetitions < 1 {
      throw ValidationError("--events and --repetitions must be at least 1")
    }
  }

  func run() throws {
    let folder = try WorkFolder()
    defer { folder.remove() }
    let job = MainJob(
      bandolier: bandolier, folder: folder.path, events: events, seed: seed)
    var table = try BenchmarkTable(Machine.description, events: events, seed: seed)
    try job.prepare()
    for step in try job.steps() {
      var runs: [ProcessRun] = []
      for _ in 0..<repetitions {
        step.prepare()
        runs.append(try ProcessRun(step.command))
      }
      try table.add(step, runs)
    }
    table.note(bytesPerEvent: try job.bytesPerEvent())
    try table.write(to: output)
  }
}
