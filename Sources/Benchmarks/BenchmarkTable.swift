import Glibc
import Reports

/// What was measured, one row for each step.
struct BenchmarkTable {
  private var table: ReportTable
  init(_ machine: String, seed: UInt64) throws {
    table = try ReportTable(
      name: "bench", title: "Benchmarks",
      columns: [
        .key("step", .text, "what was run"),
        .measure("events", .integer, "events that a run handles"),
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
          "peak_mib", .decimal, "most memory held, in MiB, largest run of a process of its own"),
      ])
    table.note("machine", .text(machine))
    table.note("flags", .text("swift build -c release"))
    table.note("scenario", .text("storefront and packed columns, seed \(seed)"))
  }

  mutating func add(_ step: Step, _ runs: [Measurement]) throws {
    let seconds = runs.map(\.seconds).sorted()
    let median = seconds[seconds.count / 2]
    let processor = runs.map(\.cpuSeconds).sorted()[runs.count / 2]
    let peak = runs.compactMap(\.peakBytes).max()
    try table.append(row: [
      .text(step.name), .integer(step.events), .integer(runs.count), .decimal(rounded(seconds[0])),
      .decimal(rounded(median)), .decimal(rounded(seconds[seconds.count - 1])),
      .decimal((Double(step.events) / median).rounded()),
      step.bytes > 0 ? .decimal((Double(step.bytes) / median).rounded()) : .empty,
      .decimal(rounded(processor)), .decimal((Double(step.events) / processor).rounded()),
      peak.map { .decimal(rounded(Double($0) / 1_048_576)) } ?? .empty,
    ])
  }

  mutating func note(bytesPerEvent: (log: Double, lines: Double)) {
    table.note("log_bytes_per_event", .decimal(rounded(bytesPerEvent.log)))
    table.note("jsonl_bytes_per_event", .decimal(rounded(bytesPerEvent.lines)))
  }

  func write(to path: String) throws {
    let options = ReportOptions(terminalWidth: Terminal.width(STDOUT_FILENO) ?? 120)
    try StandardOutput().append(Reports.write(table, as: .table, options: options))
    try AtomicFile.write(Reports.write(table, as: .csv), to: path, force: true)
  }

  private func rounded(_ number: Double) -> Double { (number * 100_000).rounded() / 100_000 }
}

/// The machine that was measured on.
enum Machine {
  /// The processor's name, how many there are, and the system.
  static var description: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(processor), \(cores) cores, Linux"
  }

  private static var processor: String {
    guard let file = unsafe fopen("/proc/cpuinfo", "r") else { return "unknown processor" }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    // Safety: fgets writes at most 512 bytes and ends them with zero.
    while unsafe fgets(&line, 512, file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") {
        return String(text[text.index(colon, offsetBy: 2)...].prefix { $0 != "\n" })
      }
    }
    return "unknown processor"
  }
}
