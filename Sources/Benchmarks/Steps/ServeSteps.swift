import EventLog
import Events
import Platform
import Threads

/// The decision service under load from this process, on the same processors: durable decisions, an empty route, a
/// fixed rate, ends of segments, ingestion, and starting.
struct ServeSteps {
  let server: String
  let folder: String

  func steps() throws -> [Step] {
    [
      sync(), decisions("serve, new session, 256 connections", connections: 256),
      decisions("serve, new session, one connection", connections: 1, count: 500),
      empty("serve, empty route, 256 connections"),
      rate("serve, new session, 2,000 requests per second"),
      segments("serve, new session, 2,000 requests per second, ends of segments"),
      reporting("serve, 500 requests per second", reportsPerSecond: nil),
      reporting("serve, 500 requests per second, a report each second", reportsPerSecond: 1),
      ingestion("serve, ingest batches of 1,000 events"),
      start("serve, start with a log of 10,000,000 events", events: 10_000_000),
      start("serve, start with 2,000,000 events, no snapshot", events: 2_000_000, isFirst: true),
      start("serve, start with 2,000,000 events after a stop", events: 2_000_000, isFirst: false),
      sessions("serve, memory of 1,000,000 sessions", count: 1_000_000),
    ]
  }

  private var log: String { folder + "/served.log" }

  private func command(_ options: [String] = []) -> [String] {
    [server, "--log", log, "--owner", "bench", "--port", "0", "--rate", "0"] + options
  }

  /// Runs a load against a service with a new log.
  private func step(
    _ name: String, _ plan: LoadPlan, options: [String] = [], events: Int? = nil,
    status: Int = 200
  ) -> Step {
    Step(name: name, events: events ?? plan.requests, prepare: { WorkFolder.remove(log) }) {
      let process = try ServerProcess(command(options))
      let result = try LoadGenerator(port: process.port).run(plan)
      var measurement = Measurement(result)
      measurement.peakBytes = process.memory.peak
      try process.stop()
      guard result.statuses == [status: plan.requests] else {
        throw ProcessRun.Failure(description: "\(name): responses by status: \(result.statuses)")
      }
      return measurement
    }
  }

  private static func decision(_ number: Int) -> [UInt8] {
    LoadPlan.get("/bench/checkout/decision/a,b,c?session=s-\(number)")
  }

  private func decisions(_ name: String, connections: Int, count: Int = 50_000) -> Step {
    step(name, LoadPlan(connections: connections, requests: count, request: Self.decision))
  }

  private func empty(_ name: String) -> Step {
    step(
      name,
      LoadPlan(connections: 256, requests: 50_000) { _ in LoadPlan.get("/healthz") })
  }

  private func rate(_ name: String) -> Step {
    step(name, LoadPlan(connections: 256, requests: 20_000, rate: 2_000, request: Self.decision))
  }

  /// Segments so small that three of them end meanwhile.
  private func segments(_ name: String) -> Step {
    step(
      name, LoadPlan(connections: 256, requests: 20_000, rate: 2_000, request: Self.decision),
      options: ["--segment-size", "400000"])
  }

  private func ingestion(_ name: String) -> Step {
    let (batches, size) = (200, 1_000)
    return step(
      name,
      LoadPlan(connections: 8, requests: batches) { batch in
        let lines = (0..<size).map { line in
          let number = batch * size + line
          return
            #"{"type":"goal","id":"e-\#(number)","time":"2026-01-02T03:05:00Z","unit":"u-\#(number % 5_000)","#
            + #""experiment":"checkout","goal":"purchase","value":\#(number % 97)}"# + "\n"
        }
        return LoadPlan.post(
          "/v1/events", type: "application/x-ndjson", body: Array(lines.joined().utf8))
      }, events: batches * size)
  }

  /// Makes a log of events that all systems keep, as after an import, unless it is there.
  private func generate(events: Int) throws {
    guard served != events else { return }
    for path in [log, log + ".truth.json"] { WorkFolder.remove(path) }
    let bandolier = server.replacing("bandolier-serve", with: "bandolier")
    _ = try ProcessRun(
      [bandolier, "generate", "storefront", "--events", "\(events)", "--seed", "1", "--log", log])
  }

  /// Decisions at a fixed rate, of a service that has a log of a million events and is asked for reports of it.
  private func reporting(_ name: String, reportsPerSecond: Double?) -> Step {
    let plan = LoadPlan(connections: 64, requests: 10_000, rate: 500, request: Self.decision)
    return Step(name: name, events: plan.requests, prepare: { try generate(events: 1_000_000) }) {
      let process = try ServerProcess(command())
      let generator = LoadGenerator(port: process.port)
      let reports = Monitor<LoadResult?>(reportsPerSecond == nil ? LoadResult() : nil)
      if let reportsPerSecond {
        let ask = { @Sendable in
          let asked = LoadPlan(connections: 8, requests: 20, rate: reportsPerSecond) { _ in
            LoadPlan.get("/v1/reports/compare")
          }
          // A report that fails is one without a status.
          let result = (try? generator.run(asked)) ?? LoadResult(statuses: [0: asked.requests])
          reports.withLock { $0 = result }
          reports.announce()
        }
        if !Workers.detach(ask) { ask() }
      }
      let result = try generator.run(plan)
      let statuses = reports.wait { $0?.statuses }
      let measurement = Measurement(result)
      try process.stop()
      // What was decided is left out of the next log.
      WorkFolder.remove(log)
      guard result.statuses == [200: plan.requests], Set(statuses.keys).isSubset(of: [200]) else {
        throw ProcessRun.Failure(
          description:
            "\(name): responses by status: \(result.statuses), of reports: \(statuses)")
      }
      return measurement
    }
  }

  /// The start of a service, its first, or after one that could make a snapshot.
  private func start(_ name: String, events: Int, isFirst: Bool = true) -> Step {
    Step(
      name: name, events: events,
      prepare: {
        try generate(events: events)
        if isFirst {
          WorkFolder.remove(log + "/" + LogReader.snapshotName)
        } else {
          try ServerProcess(command()).stop()
        }
      }
    ) {
      let process = try ServerProcess(command())
      var measurement = Measurement(seconds: process.startSeconds, cpuSeconds: 0)
      measurement.peakBytes = process.memory.peak
      try process.stop()
      return measurement
    }
  }

  private var served: Int { (try? LogReader(log)).map { Int($0.eventCount) } ?? 0 }

  /// The start with a snapshot of so many sessions, and the memory that they take.
  private func sessions(_ name: String, count: Int) -> Step {
    Step(
      name: name, events: count,
      prepare: {
        guard served != count else { return }
        WorkFolder.remove(log)
        let process = try ServerProcess(command(["--no-wait"]))
        _ = try LoadGenerator(port: process.port).run(
          LoadPlan(connections: 256, requests: count, request: Self.decision))
        try process.stop()
        try makeSnapshot()
      }
    ) {
      let process = try ServerProcess(command())
      var measurement = Measurement(seconds: process.startSeconds, cpuSeconds: 0)
      measurement.peakBytes = process.memory.peak
      try process.stop()
      return measurement
    }
  }

  /// Starts the service, which makes a snapshot in the background, and stops it when there is one.
  private func makeSnapshot() throws {
    let process = try ServerProcess(command())
    let snapshot = log + "/" + LogReader.snapshotName
    // Safety: the path is a terminated copy for the call.
    func isThere() -> Bool { unsafe access(snapshot, F_OK) == 0 }
    for _ in 0..<600 where !isThere() { usleep(100_000) }
    guard isThere() else {
      throw ProcessRun.Failure(description: "no snapshot within a minute: \(snapshot)")
    }
    try process.stop()
  }

  /// The time in which the disk makes a small write durable, beside which durable answers are to be read.
  private func sync() -> Step {
    let path = folder + "/sync"
    return Step(name: "sync of 4 KiB", events: 200) {
      // Safety: the path is a terminated copy for the call.
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      defer { close(file) }
      let block = [UInt8](repeating: 7, count: 4_096)
      var result = LoadResult()
      for _ in 0..<200 {
        let start = LoadGenerator.now()
        // Safety: the array has as many bytes as are written.
        guard unsafe write(file, block, block.count) == block.count, synchronizeContent(file) == 0
        else {
          throw ProcessRun.Failure(description: "cannot write \(path)")
        }
        result.latencies.append(LoadGenerator.now() - start)
      }
      result.seconds = result.latencies.reduce(0, +)
      result.latencies.sort()
      return Measurement(result)
    }
  }
}

extension Measurement {
  /// The measurement of a load.
  fileprivate init(_ result: LoadResult) {
    self.init(seconds: result.seconds, cpuSeconds: 0)
    latencies = (
      median: result.quantile(0.5), high: result.quantile(0.99), maximum: result.latencies.last ?? 0
    )
  }
}
