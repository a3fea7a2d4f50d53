import EventLog
import Platform
import Tables

/// How the cost of every job grows with the events, the units, the variants and the experiments: each job as a whole
/// process, on logs of journeys, and in simulations.
///
/// What takes too long, or is refused, is left out, and the table says why.
struct GrowthSteps {
  let bandolier: String
  let files: GrowthFiles
  /// The events of the smallest size.
  let smallest: Int
  let repetitions: Int
  /// The processor time in seconds at which a job is stopped.
  let limit: Int
  let seed: UInt64

  /// Measures everything at every size.
  ///
  /// - Throws: ``ProcessRun/Failure`` if a log cannot be written.
  func measure() throws -> GrowthTable {
    var table = GrowthTable(
      smallest: smallest, repetitions: repetitions, limit: limit, seed: seed)
    for size in GrowthSize.all(from: smallest) {
      try makeInputs(size)
      for job in GrowthJob.all(files, size) {
        let wasStopped = table.wasStopped(job, size.axis)
        table.add(job, size, try wasStopped ? .stopped : measure(job, size))
      }
      WorkFolder.remove(files.folder)
    }
    return table
  }

  /// Writes the logs, and an analysis file that names every experiment.
  private func makeInputs(_ size: GrowthSize) throws {
    _ = try ProcessRun(["/bin/mkdir", files.folder])
    let journeys = [
      "--events", "\(size.events)", "--units", "\(size.units)",
      "--experiments", "\(size.experiments)", "--seed", "\(seed)", "--variants",
    ]
    let command = [Machine.executable, "journeys"]
    _ = try ProcessRun(command + [files.log] + journeys + ["\(size.variants)"])
    if let variants = size.probabilities {
      let options = ["\(variants)", "--probabilities"]
      _ = try ProcessRun(command + [files.probabilityLog] + journeys + options)
    }
    let names = (1...size.experiments).map { "  experiment-\($0): {baseline: control}\n" }
    try AtomicFile.write(
      Array(("experiments:\n" + names.joined()).utf8), to: files.analysis, force: true)
  }

  /// Runs a job under the limit of processor time, which the shell sets.
  private func measure(_ job: GrowthJob, _ size: GrowthSize) throws -> GrowthTable.Cost {
    if job.input == .probabilities, size.probabilities == nil {
      return .leftOut("every decision would have \(size.variants) probabilities")
    }
    let command =
      ["/bin/sh", "-c", "ulimit -S -t \(limit) && exec \"$@\"", "sh", bandolier] + job.arguments
    var runs: [Measurement] = []
    for _ in 0..<repetitions {
      if let output = job.output { WorkFolder.remove(output) }
      do {
        runs.append(Measurement(try ProcessRun(command, errors: files.errors)))
      } catch let failure as ProcessRun.Failure {
        if failure.signal == SIGXCPU { return .stopped }
        let message = TextFile.line(of: files.errors, after: "bandolier: error: ")
        return .leftOut((message ?? failure.description).replacing(files.folder + "/", with: ""))
      }
    }
    return .measured(runs)
  }
}
