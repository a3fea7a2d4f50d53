internal import EventLog
internal import Replay
internal import Statistics

extension AnalysisPlan {
  /// Checks that the log has every experiment, variant, goal and dimension that the plan names.
  ///
  /// - Parameter source: The log or database.
  /// - Throws: ``ReportError`` with the line in the file, and the nearest name of the log.
  package func check(_ source: ReportSource) throws {
    let names =
      try source.log.map { try LogNames($0, [.experiments, .variants, .goals]) }
      ?? source.names
    let lookup = NameLookup(
      path: source.path, names: names, isEmpty: source.lookup.isEmpty, message: { _ in })
    for entry in entries {
      try check([entry.experiment], .experiments, entry, "experiment", lookup)
      try check(entry.baseline.map { [$0] } ?? [], .variants, entry, "baseline", lookup)
      let variants = entry.shares.keys.sorted(by: VariantPairs.inBytes)
      try check(variants, .variants, entry, "shares", lookup)
      try check(entry.metric.goals, .goals, entry, "metric", lookup)
      try check(entry.secondary.flatMap(\.goals), .goals, entry, "secondary", lookup)
      let guarded = entry.guardrails.flatMap(\.metric.goals)
      try check(guarded, .goals, entry, "guardrails", lookup)
      guard let log = source.log else { continue }
      for dimension in entry.dimensions {
        guard let absence = try dimension.absence(in: log) else { continue }
        throw ReportError(.badData, "\(place(entry, "dimensions"))\(absence)")
      }
    }
  }

  private func check(
    _ texts: [String], _ vocabulary: Vocabulary, _ entry: Entry, _ key: String,
    _ lookup: NameLookup
  ) throws(ReportError) {
    for text in texts {
      do {
        try lookup.code(of: text, in: vocabulary)
      } catch {
        throw ReportError(error.code, "\(place(entry, key))\(error)")
      }
    }
  }

  /// Returns the entries of experiments that a source selects, with their parts of it.
  func selected(of source: ReportSource) -> [(entry: Entry, part: ReportPart)] {
    entries.compactMap { entry in
      guard let code = source.names.code(of: entry.experiment, in: .experiments),
        source.experiments?.contains(code) ?? true
      else { return nil }
      return (entry, ReportPart(experiments: [code], since: entry.since, until: entry.until))
    }
  }

  /// Returns the result of a closure, whose errors name the place of an entry.
  func locating<Result>(_ entry: Entry, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ReportError {
      throw located(error, entry)
    }
  }

  /// Returns an error of the report of an entry with the place of the entry, or of the key that is to blame. The report
  /// names it as the option.
  private func located(_ error: ReportError, _ entry: Entry) -> ReportError {
    let option = "--baseline "
    guard error.description.hasPrefix(option), entry.baseline != nil else {
      return ReportError(error.code, place(entry, "experiment") + error.description)
    }
    return ReportError(error.code, place(entry, "baseline") + error.description.dropFirst(2))
  }

  /// Returns where a key of an entry is written, for the beginning of a message.
  package func place(_ entry: Entry, _ key: String) -> String {
    guard let path else { return "analysis of \"\(entry.experiment)\": " }
    let line = entry.lines[key] ?? entry.lines["experiment"]
    return path + (line.map { ":\($0)" } ?? "") + ": "
  }
}
