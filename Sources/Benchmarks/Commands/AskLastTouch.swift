import ArgumentParser
import EventLog
import Tables

/// Answers the question that is also put to the peers.
struct AskLastTouch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "last-touch",
    abstract: "Credit goals to the latest decision; write sums, time and memory as CSV.",
    discussion: """
      A row for each number of the answer; with them its measures seconds (median), seconds_best, cpu_seconds \
      (median, of all threads) and peak_mib (the most memory that this process has held until then).
      """)

  @Argument(help: "The log.")
  var log: String

  @Option(help: "How many threads may work.")
  var jobs = 1

  @Option(help: "How often it is answered.")
  var runs = 1

  func validate() throws {
    if jobs < 1 || runs < 1 { throw ValidationError("--jobs and --runs must be at least 1") }
  }

  func run() throws {
    let reader = try LogReader(log)
    var table = try Table(
      name: "last_touch", title: "Answer",
      columns: [
        .key("experiment", .text, "of which experiment; empty where it does not apply"),
        .key("variant", .text, "of which variant; empty where it does not apply"),
        .key("measure", .text, "what is counted or summed"),
        .measure("value", .decimal, "the number"),
      ])
    for row in try ask(reader) {
      try table.append(row: [
        .text(row.experiment), .text(row.variant), .text(row.measure), .decimal(row.value),
      ])
    }
    try StandardOutput().append(Tables.write(table.sorted(), as: .csv))
  }

  private func ask(_ log: LogReader) throws -> [LastTouch.Row] {
    var rows: [LastTouch.Row] = []
    let took = try (0..<runs).map { _ in
      try Measurement { rows = try LastTouch.answer(log, jobs: jobs) }
    }
    let seconds = took.map(\.seconds).sorted()
    let processor = took.map(\.cpuSeconds).sorted()
    rows.append(LastTouch.Row(measure: "seconds", value: seconds[runs / 2]))
    rows.append(LastTouch.Row(measure: "seconds_best", value: seconds[0]))
    rows.append(LastTouch.Row(measure: "cpu_seconds", value: processor[runs / 2]))
    if let peak = Machine.peakBytes {
      rows.append(LastTouch.Row(measure: "peak_mib", value: Double(peak) / 1_048_576))
    }
    return rows
  }
}
