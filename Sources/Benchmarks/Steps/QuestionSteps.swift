import EventLog

/// The questions that replay answers, on a log of synthetic journeys: each with one thread and with two.
struct QuestionSteps {
  let path: String

  func steps() throws -> [Step] {
    let log = try LogReader(path)
    return QuestionName.allCases.flatMap { name in [1, 2].map { step(name, log, jobs: $0) } }
  }

  private func step(_ name: QuestionName, _ log: LogReader, jobs: Int) -> Step {
    let question = name.question
    let peak = PeakMemory(name, path, jobs: jobs)
    return Step(
      name: "\(name.words), \(jobs) \(jobs == 1 ? "job" : "jobs")", events: Int(log.eventCount)
    ) {
      var measurement = try Measurement { _ = try question.answer(log, jobs: jobs) }
      measurement.peakBytes = try peak.bytes()
      return measurement
    }
  }
}

/// The peak memory of a command of this program, as a process of its own that runs once.
private final class PeakMemory {
  private let question: QuestionName
  private let jobs: Int
  private let log: String
  private var measured: Int?

  init(_ question: QuestionName, _ log: String, jobs: Int) {
    self.question = question
    self.log = log
    self.jobs = jobs
  }

  /// Returns the peak memory in bytes; nil if the process could not report it.
  func bytes() throws -> Int? {
    if let measured { return measured }
    let answers = log + ".csv"
    _ = try ProcessRun(
      [
        Machine.executable, "questions", log, "--question", question.rawValue, "--jobs", "\(jobs)",
      ], output: answers)
    let line = TextFile.line(of: answers, after: "\(question.rawValue),,,,peak_mib,")
    measured = line.flatMap { Double($0) }.map { Int($0 * 1_048_576) }
    return measured
  }
}
