import Statistics
import Tables

/// The cost of each job by the size of its input, and the exponents of growth.
struct GrowthTable {
  private struct Row {
    var job: String
    var size: GrowthSize
    var runs: Int
    var seconds: Double
    var peakBytes: Int
    /// The limit of the memory in MiB; nil if there is none.
    var limit: Int?
  }

  private var rows: [Row] = []

  /// Whether nothing was added for a job at a size.
  func isNew(_ job: String, _ size: GrowthSize) -> Bool {
    !rows.contains {
      $0.job == job && $0.size.axis == size.axis && $0.size.varied == size.varied
    }
  }

  /// Returns the seconds of a job at the largest size of an axis so far; 0 if there are none.
  func seconds(_ job: String, _ axis: GrowthSize.Axis) -> Double {
    rows.last { $0.job == job && $0.size.axis == axis }?.seconds ?? 0
  }

  /// Adds the runs of a job at a size.
  mutating func add(_ job: String, _ size: GrowthSize, _ runs: [Measurement], limit: Int?) {
    let seconds = runs.map(\.seconds).sorted()
    rows.append(
      Row(
        job: job, size: size, runs: runs.count, seconds: seconds[seconds.count / 2],
        peakBytes: runs.compactMap(\.peakBytes).max() ?? 0, limit: limit))
  }

  /// Writes the table to standard output, and as CSV to a file.
  func write(to path: String, seed: UInt64) throws {
    try table(seed).printAndWrite(to: path)
  }

  private func table(_ seed: UInt64) throws -> Table {
    var table = try Table(
      name: "growth", title: "Growth of the cost",
      columns: [
        .key("job", .text, "what was run"), .key("axis", .text, "what varies"),
        .key("events", .integer, "events of the log, or steps that are simulated"),
        .key("units", .integer, "units; empty where there are none"),
        .key("variants", .integer, "variants of an experiment, or options of a study"),
        .key("experiments", .integer, "experiments"),
        .measure("runs", .integer, "how often"),
        .measure("seconds", .decimal, "wall time of the whole process, median"),
        .measure("nanoseconds_per_event", .decimal, "by the events"),
        .measure("peak_mib", .decimal, "most memory that the process held, in MiB, largest run"),
        .measure("bytes_per_event", .decimal, "by the events"),
        .measure("memory_limit_mib", .integer, "what --memory allows, in MiB"),
        .measure(
          "exponent", .decimal, "e where the time grew as size^e since the row before of the axis"),
      ])
    table.noteMachine(Machine.description)
    table.note("seed", .text("\(seed)"))
    for job in jobs {
      for axis in GrowthSize.Axis.allCases {
        let rows = rows.filter { $0.job == job && $0.size.axis == axis }
        for (index, row) in rows.enumerated() {
          try table.append(row: cells(row, after: index > 0 ? rows[index - 1] : nil))
        }
      }
    }
    return table
  }

  /// The jobs in the order in which they were first added.
  private var jobs: [String] {
    var jobs: [String] = []
    for row in rows where !jobs.contains(row.job) { jobs.append(row.job) }
    return jobs
  }

  private func cells(_ row: Row, after before: Row?) -> [TableCell] {
    let exponent = before.map {
      Double.log(row.seconds / $0.seconds)
        / Double.log(Double(row.size.varied) / Double($0.size.varied))
    }
    return [
      .text(row.job), .text(row.size.axis.rawValue), .integer(row.size.events),
      row.size.units > 0 ? .integer(row.size.units) : .empty, .integer(row.size.variants),
      .integer(row.size.experiments), .integer(row.runs), .decimal(rounded(row.seconds)),
      .decimal(rounded(row.seconds / Double(row.size.events) * 1e9)),
      .decimal(rounded(Double(row.peakBytes) / 1_048_576)),
      .decimal(rounded(Double(row.peakBytes) / Double(row.size.events))),
      row.limit.map { .integer($0) } ?? .empty,
      exponent.map { .decimal(rounded($0)) } ?? .empty,
    ]
  }

  private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}
