import EventLog
import Tables

/// How the cost of the main jobs grows with the events, the units, the variants and the experiments: each job as a
/// whole process, on logs of journeys, of studies, and in simulations.
///
/// With the variants and the experiments grow the rows of the reports, so all reports are measured on these axes;
/// `adaptive` is not, because journeys have no probabilities of all choices.
struct GrowthSteps {
  let bandolier: String
  let folder: String
  /// The events of the smallest size.
  let smallest: Int
  let repetitions: Int
  let seed: UInt64

  /// The memory that reports are limited to where they are limited.
  private static let limit = (option: "256M", mebibytes: 256)

  /// The seconds from which on a job is not run at the next size of its axis.
  private static let longest = 60.0

  /// The decisions of a simulated run.
  private static let horizon = 10_000

  private var log: String { folder + "/growth.log" }
  private var lines: String { folder + "/growth.jsonl" }
  private var imported: String { folder + "/growth-imported.log" }
  private var database: String { folder + "/growth.sqlite" }
  private var plan: String { folder + "/growth.yaml" }
  private var book: String { folder + "/growth-reports" }

  /// Measures everything at every size.
  ///
  /// - Throws: ``ProcessRun/Failure`` if a command fails.
  func measure() throws -> GrowthTable {
    var table = GrowthTable()
    for size in GrowthSize.all(from: smallest) {
      try measureJourneys(size, &table)
      try measurePredictions(size, &table)
      try measureSimulation(size, &table)
    }
    return table
  }

  // MARK: Jobs

  private func measureJourneys(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    try make([
      Machine.executable, "journeys", log, "--events", "\(size.events)", "--units", "\(size.units)",
      "--variants", "\(size.variants)", "--experiments", "\(size.experiments)", "--seed",
      "\(seed)",
    ])
    try measureImport(size, &table)
    if size.growsRows { try measureReports(size, &table) }
    for report in ["rewards", "compare"] {
      let command = [bandolier, "report", report, log]
      try add("report \(report)", size, &table, command)
      try add(
        "report \(report) --memory \(Self.limit.option)", size, &table,
        command + ["--memory", Self.limit.option], limit: Self.limit.mebibytes)
    }
    try add("replay", size, &table, [bandolier, "replay", log, "--into", database]) {
      WorkFolder.remove(database)
    }
    for path in [log, database] { WorkFolder.remove(path) }
  }

  private func measureReports(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    for report in [
      "conversions", "quantiles", "regret", "health", "series", "visits", "retention", "power",
    ] {
      try add("report \(report)", size, &table, [bandolier, "report", report, log])
    }
    try add(
      "report funnel", size, &table,
      [bandolier, "report", "funnel", log, "--steps", "click,purchase"])
    let names = (1...size.experiments).map { "  experiment-\($0): {baseline: control}\n" }
    try AtomicFile.write(
      Array(("experiments:\n" + names.joined()).utf8), to: plan, force: true)
    try add(
      "report decisions", size, &table, [bandolier, "report", "decisions", log, "--analysis", plan])
    try add(
      "evaluate", size, &table,
      [bandolier, "evaluate", log, "--policy", "uniform", "--estimator", "ips"])
    try add("report all", size, &table, [bandolier, "report", "all", log, "-o", book]) {
      WorkFolder.remove(book)
    }
    for path in [plan, book] { WorkFolder.remove(path) }
  }

  private func measureImport(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    try add("export", size, &table, [bandolier, "export", log, "-o", lines]) {
      WorkFolder.remove(lines)
    }
    try add("import", size, &table, [bandolier, "import", lines, "--log", imported]) {
      WorkFolder.remove(imported)
    }
    for path in [lines, imported] { WorkFolder.remove(path) }
  }

  /// The options of a study are as many as the variants, up to as many as a made-up study has.
  private func measurePredictions(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    var size = size
    size.variants = min(size.variants, 26)
    let job = "report predictions --predictor frequency"
    guard size.axis != .experiments, table.isNew(job, size) else { return }
    try make([
      bandolier, "generate", "studies:units=\(size.units),options=\(size.variants)", "--events",
      "\(size.events)", "--seed", "\(seed)", "--log", log,
    ])
    try add(
      job, size, &table,
      [bandolier, "report", "predictions", log, "--predictor", "frequency"])
    for path in [log, log + ".truth.json"] { WorkFolder.remove(path) }
  }

  /// Units and experiments play no part in a simulation. Its means are between 0 and a tenth.
  private func measureSimulation(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    guard size.axis != .units, size.axis != .experiments else { return }
    let means = (1...size.variants).map { "\(Double($0) / Double(10 * size.variants))" }
    let command = [
      bandolier, "simulate", "-e", "bernoulli:means=\(means.joined(separator: ";"))", "-p", "ucb1",
      "--horizon", "\(Self.horizon)", "--runs", "\(max(1, size.events / Self.horizon))", "--seed",
      "\(seed)",
    ]
    var size = size
    size.units = 0
    try add("simulate ucb1", size, &table, command)
  }

  // MARK: Processes

  private func make(_ command: [String]) throws { _ = try ProcessRun(command) }

  /// Runs a job, unless it took too long at the size before on an axis along which rows grow.
  private func add(
    _ job: String, _ size: GrowthSize, _ table: inout GrowthTable, _ command: [String],
    limit: Int? = nil, prepare: () -> Void = {}
  ) throws {
    guard !size.growsRows || table.seconds(job, size.axis) < Self.longest else { return }
    let runs = try (0..<repetitions).map { _ in
      prepare()
      return Measurement(try ProcessRun(command))
    }
    table.add(job, size, runs, limit: limit)
  }
}
