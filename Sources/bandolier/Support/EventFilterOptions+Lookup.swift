import EventLog
import Replay
import Reports

extension EventFilterOptions {
  /// Prints notes about conditions that no event of a log meets.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - mayCome: Whether the verb waits for events appended later, so that an unknown name is not an error.
  /// - Returns: Whether a note explains why nothing is printed.
  /// - Throws: `ReportError` when none of the experiments or none of the units is known.
  func note(_ log: LogReader, mayCome: Bool) throws -> Bool {
    let coverage = LogCoverage(log)
    guard !coverage.isEmpty else { return coverage.note(since: since, until: until) }
    if !experiment.isEmpty {
      let names = try LogNames(log, [.experiments])
      let unknown = experiment.filter { names.code(of: $0, in: .experiments) == nil }
      try NameLookup.refuse(
        unknown, hasKnown: mayCome || unknown.count < experiment.count,
        message: { Message.print($0) }
      ) {
        UnknownName.message($0, in: .experiments, of: names, path: log.path)
      }
    }
    if !unit.isEmpty {
      let unknown = try UnknownUnits(unit, of: log)
      try NameLookup.refuse(
        unknown.names, hasKnown: mayCome || unknown.names.count < unit.count,
        message: { Message.print($0) }, unknown.message)
    }
    guard !mayCome else { return false }
    if from >= log.eventCount {
      Message.print(
        "note: \(log.path) has \(log.eventCount) events, so none is at position \(from) or later")
      return true
    }
    return coverage.note(since: since, until: until)
  }
}
