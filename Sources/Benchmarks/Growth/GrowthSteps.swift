import EventLog

/// How the cost of the main jobs grows with the events, the units and the variants: each job as a whole process, on
/// logs of journeys, of studies, and in simulations.
struct GrowthSteps {
  let bandolier: String
  let folder: String
  /// The events of the smallest size.
  let smallest: Int
  let repetitions: Int
  let seed: UInt64

  /// The memory that reports are limited to where they are limited.
  private static let limit = (option: "256M", mebibytes: 256)

  /// The decisions of a simulated run.
  private static let horizon = 10_000

  private var log: String { folder + "/growth.log" }
  private var lines: String { folder + "/growth.jsonl" }
  private var imported: String { folder + "/growth-imported.log" }
  private var database: String { folder + "/growth.sqlite" }

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
      "--variants", "\(size.variants)", "--seed", "\(seed)",
    ])
    try measureImport(size, &table)
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

  private func measureImport(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    try make([bandolier, "export", log, "-o", lines])
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
    guard table.isNew(job, size) else { return }
    try make([
      bandolier, "generate", "studies:units=\(size.units),options=\(size.variants)", "--events",
      "\(size.events)", "--seed", "\(seed)", "--log", log,
    ])
    try add(
      job, size, &table,
      [bandolier, "report", "predictions", log, "--predictor", "frequency"])
    for path in [log, log + ".truth.json"] { WorkFolder.remove(path) }
  }

  /// Units play no part in a simulation. Its means are between 0 and a tenth.
  private func measureSimulation(_ size: GrowthSize, _ table: inout GrowthTable) throws {
    guard size.axis != .units else { return }
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

  private func add(
    _ job: String, _ size: GrowthSize, _ table: inout GrowthTable, _ command: [String],
    limit: Int? = nil, prepare: () -> Void = {}
  ) throws {
    let runs = try (0..<repetitions).map { _ in
      prepare()
      return Measurement(try ProcessRun(command))
    }
    table.add(job, size, runs, limit: limit)
  }
}
