import ArgumentParser
import EventLog
import Tables

/// Answers the questions that are also put to the peers.
struct AskQuestions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "questions",
    abstract: "Answer questions to a log as CSV, with the time of each and the memory of all.",
    discussion: """
      A row for each number of an answer; with them for each question its measures seconds (median), \
      seconds_best, cpu_seconds (median, of all threads) and peak_mib (the most memory that this process has held until then).
      """)

  @Argument(help: "The log.")
  var log: String

  @Option(
    name: .customLong("question"),
    help: "Only these: counts_and_sums, last_touch, distinct_units. Can be given more than once.",
    transform: Self.question)
  var wanted: [QuestionName] = []

  @Option(help: "How many threads may work.")
  var jobs = 1

  @Option(help: "How often each is answered.")
  var runs = 1

  private static func question(_ name: String) throws -> QuestionName {
    guard let question = QuestionName(rawValue: name) else {
      let names = QuestionName.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--question must be one of \(names)")
    }
    return question
  }

  func validate() throws {
    if jobs < 1 || runs < 1 { throw ValidationError("--jobs and --runs must be at least 1") }
  }

  func run() throws {
    let reader = try LogReader(log)
    var table = try Table(
      name: "questions", title: "Answers",
      columns: [
        .key("question", .text, "what was asked"),
        .key("experiment", .text, "of which experiment; empty where it does not apply"),
        .key("variant", .text, "of which variant; empty where it does not apply"),
        .key("goal", .text, "of which goal; empty where it does not apply"),
        .key("measure", .text, "what is counted or summed"),
        .measure("value", .decimal, "the number"),
      ])
    for name in wanted.isEmpty ? QuestionName.allCases : wanted {
      for row in try ask(name, reader) {
        try table.append(row: [
          .text(name.rawValue), .text(row.experiment), .text(row.variant), .text(row.goal),
          .text(row.measure), .decimal(row.value),
        ])
      }
    }
    try StandardOutput().append(Tables.write(table.sorted(), as: .csv))
  }

  private func ask(_ name: QuestionName, _ log: LogReader) throws -> [AnswerRow] {
    let question = name.question
    var rows: [AnswerRow] = []
    let took = try (0..<runs).map { _ in
      try Measurement { rows = try question.answer(log, jobs: jobs) }
    }
    let seconds = took.map(\.seconds).sorted()
    let processor = took.map(\.cpuSeconds).sorted()
    rows.append(AnswerRow(measure: "seconds", value: seconds[runs / 2]))
    rows.append(AnswerRow(measure: "seconds_best", value: seconds[0]))
    rows.append(AnswerRow(measure: "cpu_seconds", value: processor[runs / 2]))
    if let peak = Machine.peakBytes {
      rows.append(AnswerRow(measure: "peak_mib", value: Double(peak) / 1_048_576))
    }
    return rows
  }
}
