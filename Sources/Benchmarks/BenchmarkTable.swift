import Platform
import Tables

/// The results of a benchmark, one row for each step.
struct BenchmarkTable {
  private var table: Table
  /// The median wall time of each step, for ratios.
  private var medians: [String: Double] = [:]

  init(_ machine: String, seed: UInt64) throws {
    table = try Table(
      name: "bench", title: "Benchmarks",
      columns: [
        .key("step", .text, "what was run"),
        .measure("events", .integer, "events that a run handles, or steps that it simulates"),
        .measure("runs", .integer, "how often"),
        .measure("seconds_min", .decimal, "wall time, fastest run"),
        .measure("seconds_median", .decimal, "wall time, median"),
        .measure("seconds_max", .decimal, "wall time, slowest run"),
        .measure("events_per_second", .decimal, "events by the median"),
        .measure("bytes_per_second", .decimal, "bytes by the median, where that is what counts"),
        .measure("cpu_seconds_median", .decimal, "user and system time, median"),
        .measure(
          "events_per_cpu_second", .decimal, "events by that: what a core does that others share"),
        .measure(
          "peak_mib", .decimal, "most memory that a process of its own held, in MiB, largest run"),
        .measure("latency_median_ms", .decimal, "time of a response, median of the runs' medians"),
        .measure("latency_p99_ms", .decimal, "its 99th percentile, median of the runs"),
        .measure("latency_max_ms", .decimal, "its maximum, slowest run"),
      ])
    table.noteMachine(machine)
    table.note("scenario", .text("storefront, packed columns and journeys, seed \(seed)"))
  }

  mutating func add(_ step: Step, _ runs: [Measurement]) throws {
    let seconds = runs.map(\.seconds).sorted()
    let median = seconds[seconds.count / 2]
    medians[step.name] = median
    let processor = runs.map(\.cpuSeconds).sorted()[runs.count / 2]
    let peak = runs.compactMap(\.peakBytes).max()
    let latencies = runs.compactMap(\.latencies)
    try table.append(row: [
      .text(step.name), .integer(step.events), .integer(runs.count), .decimal(rounded(seconds[0])),
      .decimal(rounded(median)), .decimal(rounded(seconds[seconds.count - 1])),
      .decimal((Double(step.events) / median).rounded()),
      step.bytes > 0 ? .decimal((Double(step.bytes) / median).rounded()) : .empty,
      processor > 0 ? .decimal(rounded(processor)) : .empty,
      processor > 0 ? .decimal((Double(step.events) / processor).rounded()) : .empty,
      peak.map { .decimal(rounded(Double($0) / 1_048_576)) } ?? .empty,
      milliseconds(latencies.map(\.median).sorted().middle),
      milliseconds(latencies.map(\.high).sorted().middle),
      milliseconds(latencies.map(\.maximum).max()),
    ])
  }

  mutating func note(bytesPerEvent: (log: Double, lines: Double)) {
    table.note("log_bytes_per_event", .decimal(rounded(bytesPerEvent.log)))
    table.note("jsonl_bytes_per_event", .decimal(rounded(bytesPerEvent.lines)))
  }

  /// Adds the speed of one step relative to another.
  mutating func note(_ key: String, stepsOf step: String, by other: String) {
    guard let step = medians[step], let other = medians[other] else { return }
    table.note(key, .decimal(rounded(other / step)))
  }

  func write(to path: String) throws { try table.printAndWrite(to: path) }

  private func milliseconds(_ seconds: Double?) -> TableCell {
    seconds.map { .decimal(rounded($0 * 1_000)) } ?? .empty
  }

  private func rounded(_ number: Double) -> Double { (number * 100_000).rounded() / 100_000 }
}

extension Table {
  /// Notes where measurements were made, and with which flags.
  mutating func noteMachine(_ machine: String) {
    note("machine", .text(machine))
    note("flags", .text("swift build -c release"))
  }

  /// Prints the table to standard output, and writes it to a file as CSV.
  func printAndWrite(to path: String) throws {
    let options = TableOptions(terminalWidth: Terminal.width(STDOUT_FILENO) ?? 120)
    try StandardOutput().append(Tables.write(self, as: .table, options: options))
    try AtomicFile.write(Tables.write(self, as: .csv), to: path, force: true)
  }
}

extension [Double] {
  /// The element in the middle; nil if there is none.
  fileprivate var middle: Double? { isEmpty ? nil : self[count / 2] }
}

/// The machine of a measurement.
enum Machine {
  /// The path of this program.
  static var executable: String {
    var path = [CChar](repeating: 0, count: 4_096)
    // Safety: one byte less than the array has is filled, and the last one stays zero.
    let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return CommandLine.arguments[0] }
    return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The name and number of the processors, and the system.
  static var description: String {
    var name = utsname()
    // Safety: the call fills the one structure, which outlives it.
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let cores = SystemLimits.processorCount
    return "\(processor), \(cores) cores, Linux"
  }

  private static var processor: String {
    let line = TextFile.line(of: "/proc/cpuinfo", after: "model name")
    return line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) }
      ?? "unknown processor"
  }

  /// The peak memory of this process, in bytes; nil if the system does not report it. The peaks of wait4 and
  /// getrusage include the memory of the parent process.
  static var peakBytes: Int? {
    let line = TextFile.line(of: "/proc/self/status", after: "VmHWM:")
    return line?.split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
