internal import Platform

extension OutcomeFile {
  /// Reads the plan and the outcomes of several files.
  ///
  /// Outcomes that several files have, bit for bit the same, count once.
  ///
  /// - Parameter paths: The files, at least one. A folder stands for the files of outcomes in it, in bytewise order of
  ///   their names.
  /// - Returns: Their plan, the union of their outcomes, and the damaged lines, each as `PATH:LINE`.
  /// - Throws: ``OutcomeFileError`` if a file is not a file of outcomes, belongs to another plan than the first, was
  ///   made with another numerics mark than that of this build, or has another outcome of a run than a file before it.
  public static func merge(
    _ paths: [String]
  ) throws -> (plan: SimulationPlan, store: OutcomeStore, damagedLines: [String]) {
    let files = try OutcomePaths.expanded(paths)
    guard let first = files.first else {
      throw OutcomeFileError(.usage, "there is no file to merge")
    }
    let plan = try lines(of: first).lines.plan
    var store = OutcomeStore(plan)
    var damaged: [String] = []
    for (index, path) in files.enumerated() {
      var (bytes, lines) = try lines(of: path)
      try requireSame(lines.plan, plan, path)
      if let run = lines.read(bytes, into: &store) {
        let other = try firstFile(of: files[..<index], with: run, plan) ?? path
        throw conflict(run, of: plan, other, path)
      }
      damaged += lines.damaged.map { "\(path):\($0.number)" }
    }
    return (plan, store, damaged)
  }

  private static func lines(of path: String) throws -> (bytes: [UInt8], lines: OutcomeLines) {
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutcomeFileError.system(path, "cannot be opened", errno) }
    defer { close(descriptor) }
    let bytes = try read(descriptor, path)
    guard let lines = try OutcomeLines(bytes, path), lines.plan.runs <= 100_000_000 else {
      throw OutcomeFileError.notOutcomes(path)
    }
    return (bytes, lines)
  }

  /// Returns the first file that has an outcome of a run.
  private static func firstFile(
    of files: ArraySlice<String>, with run: (pair: Int, run: Int), _ plan: SimulationPlan
  ) throws -> String? {
    try files.first { path in
      var (bytes, lines) = try lines(of: path)
      var store = OutcomeStore(plan)
      _ = lines.read(bytes, into: &store)
      return store[run.pair, run.run] != nil
    }
  }

  /// Returns the error for two different outcomes of a run.
  static func conflict(
    _ run: (pair: Int, run: Int), of plan: SimulationPlan, _ path: String, _ other: String
  ) -> OutcomeFileError {
    let places = path == other ? "\(path) has" : "\(path) and \(other) have"
    return OutcomeFileError(
      .conflict,
      "\(places) different outcomes of run \(run.run) of \(plan.pairName(run.pair)); the same plan gives the same "
        + "outcomes everywhere, so one of them was changed or made by another build: remove it, and make its runs again"
    )
  }

  /// Returns whether a file begins as one of outcomes; false if it cannot be read.
  static func beginsAsOutcomes(_ path: String) -> Bool {
    // Safety: the path is a terminated copy for the call; as many bytes are asked for as there is room for.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: OutcomeLines.mark.count)
    let count = unsafe Platform.read(descriptor, &start, start.count)
    return count == start.count && start == OutcomeLines.mark
  }
}
