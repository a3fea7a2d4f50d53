import EventLog

/// Rewards by the latest decision, on a log of synthetic journeys: with one thread and with two.
struct LastTouchSteps {
  let path: String

  func steps() throws -> [Step] {
    let log = try LogReader(path)
    return [1, 2].map { step(log, jobs: $0) }
  }

  private func step(_ log: LogReader, jobs: Int) -> Step {
    let peak = PeakMemory(path, jobs: jobs)
    return Step(
      name: "last touch, \(jobs) \(jobs == 1 ? "job" : "jobs")", events: Int(log.eventCount)
    ) {
      var measurement = try Measurement { _ = try LastTouch.answer(log, jobs: jobs) }
      measurement.peakBytes = try peak.bytes()
      return measurement
    }
  }
}

/// The peak memory of a command of this program, as a process of its own that runs once.
private final class PeakMemory {
  private let jobs: Int
  private let log: String
  private var measured: Int?

  init(_ log: String, jobs: Int) {
    self.log = log
    self.jobs = jobs
  }

  /// Returns the peak memory in bytes; nil if the process could not report it.
  func bytes() throws -> Int? {
    if let measured { return measured }
    let answers = log + ".csv"
    _ = try ProcessRun(
      [Machine.executable, "last-touch", log, "--jobs", "\(jobs)"], output: answers)
    let line = TextFile.line(of: answers, after: ",,peak_mib,")
    measured = line.flatMap { Double($0) }.map { Int($0 * 1_048_576) }
    return measured
  }
}
