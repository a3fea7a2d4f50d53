import Statistics
import Tables

/// The cost of each job by the size of its input, and the exponents of growth.
struct GrowthTable {
  /// What is known of the cost of a job at a size.
  enum Cost {
    case measured([Measurement])
    /// The limit of processor time was reached, at this size or at a smaller one of the axis.
    case stopped
    /// The reason why the job is not measured.
    case leftOut(String)
  }

  struct Row {
    var job: GrowthJob
    var size: GrowthSize
    var runs = 0
    /// The median of the wall time; nil if the job is left out.
    var seconds: Double?
    var peakBytes = 0
    /// The reason why the job is left out; empty if it is measured.
    var reason = ""
    /// e where the time grew as size^e since the row before of the axis; nil if one of them is left out.
    var exponent: Double?

    var nanosecondsPerEvent: Double? { seconds.map { $0 / Double(size.events) * 1e9 } }
    var peakMebibytes: Double { Double(peakBytes) / 1_048_576 }
  }

  /// The events of the smallest size.
  let smallest: Int
  let repetitions: Int
  /// The processor time in seconds at which a job is stopped.
  let limit: Int
  let seed: UInt64
  private var rows: [Row] = []

  init(smallest: Int, repetitions: Int, limit: Int, seed: UInt64) {
    self.smallest = smallest
    self.repetitions = repetitions
    self.limit = limit
    self.seed = seed
  }

  /// Returns whether a job was stopped at the last size of an axis, or left out for that reason.
  func wasStopped(_ job: GrowthJob, _ axis: GrowthSize.Axis) -> Bool {
    last(job, axis)?.reason == stopped
  }

  /// Adds the cost of a job at a size.
  mutating func add(_ job: GrowthJob, _ size: GrowthSize, _ cost: Cost) {
    var row = Row(job: job, size: size)
    switch cost {
    case .stopped: row.reason = stopped
    case .leftOut(let reason): row.reason = reason
    case .measured(let runs):
      row.runs = runs.count
      row.seconds = runs.map(\.seconds).sorted()[runs.count / 2]
      row.peakBytes = runs.compactMap(\.peakBytes).max() ?? 0
      if let before = last(job, size.axis), let seconds = row.seconds, let earlier = before.seconds {
        row.exponent =
          Double.log(seconds / earlier) / Double.log(Double(size.varied) / Double(before.size.varied))
      }
    }
    rows.append(row)
  }

  private var stopped: String { "takes more than \(limit) s of processor time" }

  /// Returns the rows of each job on an axis in ascending order of size, the jobs in the order in which they were first
  /// added.
  func jobs(_ axis: GrowthSize.Axis) -> [[Row]] {
    var jobs: [[Row]] = []
    for row in rows where row.size.axis == axis {
      if let place = jobs.firstIndex(where: { $0[0].job.name == row.job.name }) {
        jobs[place].append(row)
      } else {
        jobs.append([row])
      }
    }
    return jobs
  }

  private func last(_ job: GrowthJob, _ axis: GrowthSize.Axis) -> Row? {
    rows.last { $0.job.name == job.name && $0.size.axis == axis }
  }

  /// Returns the table of all axes.
  ///
  /// - Throws: ``TableError`` if a cell is not of the type of its column.
  func table() throws -> Table {
    var table = try Table(
      name: "growth", title: "Growth of the cost",
      columns: [
        .key("job", .text, "what was run"), .key("axis", .text, "what varies"),
        .key("events", .integer, "events of the log, or steps that are simulated"),
        .key("units", .integer, "units; empty where there are none"),
        .key("variants", .integer, "variants of an experiment"),
        .key("experiments", .integer, "experiments; empty where there are none"),
        .measure("runs", .integer, "how often"),
        .measure("seconds", .decimal, "wall time of the whole process, median"),
        .measure("nanoseconds_per_event", .decimal, "by the events"),
        .measure("peak_mib", .decimal, "most memory that the process held, in MiB, largest run"),
        .measure("bytes_per_event", .decimal, "by the events"),
        .measure("memory_limit_mib", .integer, "what --memory allows, in MiB"),
        .measure(
          "exponent", .decimal, "e where the time grew as size^e since the row before of the axis"),
        .measure("left_out", .text, "why the job was not measured; empty if it was"),
      ])
    table.noteMachine(Machine.description)
    table.note("seed", .text("\(seed)"))
    for axis in GrowthSize.Axis.allCases {
      for row in jobs(axis).joined() { try table.append(row: cells(row)) }
    }
    return table
  }

  private func cells(_ row: Row) -> [TableCell] {
    let (size, hasUnits) = (row.size, row.job.input != .nothing)
    let isMeasured = row.seconds != nil
    return [
      .text(row.job.name), .text(size.axis.rawValue), .integer(size.events),
      hasUnits ? .integer(size.units) : .empty, .integer(size.variants),
      hasUnits ? .integer(size.experiments) : .empty, .integer(row.runs), decimal(row.seconds),
      decimal(row.nanosecondsPerEvent), decimal(isMeasured ? row.peakMebibytes : nil),
      decimal(isMeasured ? Double(row.peakBytes) / Double(size.events) : nil),
      row.job.memoryLimit.map { .integer($0) } ?? .empty, decimal(row.exponent),
      row.reason.isEmpty ? .empty : .text(row.reason),
    ]
  }

  private func decimal(_ number: Double?) -> TableCell {
    number.map { .decimal(($0 * 1_000).rounded() / 1_000) } ?? .empty
  }
}
