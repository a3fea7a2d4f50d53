/// A job whose cost is measured by the size of its input: a command of `bandolier`, as a whole process.
struct GrowthJob {
  /// What a job reads.
  enum Input {
    /// A log of journeys.
    case journeys
    /// A log of journeys with the probabilities of all variants in each decision.
    case probabilities
    /// Nothing: a simulation, in which there are neither units nor experiments.
    case nothing
  }

  let name: String
  /// The arguments of the command.
  let arguments: [String]
  var input = Input.journeys
  /// The memory in MiB that the job is limited to; nil if it is not.
  var memoryLimit: Int?
  /// The file or folder that the job writes, which is removed before each run.
  var output: String?

  /// The decisions of a simulated run.
  private static let horizon = 10_000

  /// Every job on the axis of a size, in the order of the results.
  static func all(_ files: GrowthFiles, _ size: GrowthSize) -> [GrowthJob] {
    transfers(files) + reports(files, size) + [.learn(files, size)] + wholes(files)
      + (size.axis == .events || size.axis == .variants ? [simulate(size)] : [])
  }

  private static func transfers(_ files: GrowthFiles) -> [GrowthJob] {
    [
      GrowthJob(
        name: "export", arguments: ["export", files.log, "-o", files.lines], output: files.lines),
      GrowthJob(
        name: "import", arguments: ["import", files.lines, "--log", files.imported],
        output: files.imported),
    ]
  }

  private static func reports(_ files: GrowthFiles, _ size: GrowthSize) -> [GrowthJob] {
    let limited = ["rewards", "compare"].flatMap {
      [report($0, files.log), report($0, files.log, ["--memory", "256M"], memoryLimit: 256)]
    }
    let plain = [
      "conversions", "quantiles", "regret", "health", "series", "visits", "retention", "power",
    ].map { report($0, files.log) }
    let estimators = ["ips", "snips", "dm", "dr"].flatMap { ["--estimator", $0] }
    return limited + plain + [
      report("funnel", files.log, ["--steps", "click,purchase"]),
      GrowthJob(
        name: "report decisions",
        arguments: ["report", "decisions", files.log, "--analysis", files.analysis]),
      report("predictions", files.log, ["--over", "decisions", "--predictor", "frequency"]),
      GrowthJob(
        name: "report adaptive" + (size.axis == .variants ? "" : ", at most 10 variants"),
        arguments: ["report", "adaptive", files.probabilityLog], input: .probabilities),
      GrowthJob(
        name: "evaluate", arguments: ["evaluate", files.log, "--policy", "uniform"] + estimators),
    ]
  }

  private static func report(
    _ name: String, _ log: String, _ options: [String] = [], memoryLimit: Int? = nil
  ) -> GrowthJob {
    GrowthJob(
      name: (["report", name] + options).joined(separator: " "),
      arguments: ["report", name, log] + options, memoryLimit: memoryLimit)
  }

  /// A policy is learned for one experiment, so the first of several is named.
  private static func learn(_ files: GrowthFiles, _ size: GrowthSize) -> GrowthJob {
    let experiment = size.axis == .experiments ? ["--experiment", "experiment-1"] : []
    return GrowthJob(
      name: (["learn"] + experiment).joined(separator: " "),
      arguments: ["learn", files.log, "--policy-class", "tabular"] + experiment)
  }

  private static func wholes(_ files: GrowthFiles) -> [GrowthJob] {
    [
      GrowthJob(
        name: "report all", arguments: ["report", "all", files.log, "-o", files.book],
        output: files.book),
      GrowthJob(
        name: "replay into SQLite", arguments: ["replay", files.log, "--into", files.database],
        output: files.database),
    ]
  }

  /// Runs of UCB1, with means between 0 and a tenth.
  private static func simulate(_ size: GrowthSize) -> GrowthJob {
    let means = (1...size.variants).map { "\(Double($0) / Double(10 * size.variants))" }
    return GrowthJob(
      name: "simulate ucb1",
      arguments: [
        "simulate", "-e", "bernoulli:means=\(means.joined(separator: ";"))", "-p", "ucb1",
        "--horizon", "\(horizon)", "--runs", "\(max(1, size.events / horizon))",
        "--seed", "1",
      ], input: .nothing)
  }
}

/// The files of a growth benchmark.
struct GrowthFiles {
  let folder: String

  var log: String { folder + "/journeys.log" }
  var probabilityLog: String { folder + "/probabilities.log" }
  var lines: String { folder + "/journeys.jsonl" }
  var imported: String { folder + "/imported.log" }
  var database: String { folder + "/journeys.sqlite" }
  var analysis: String { folder + "/journeys.yaml" }
  var book: String { folder + "/reports" }
  /// What the last job wrote to standard error.
  var errors: String { folder + "/errors.txt" }
}
