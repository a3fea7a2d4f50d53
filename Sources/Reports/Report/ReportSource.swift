public import EventLog
package import Events
internal import OffPolicy
public import Replay
internal import Tables

/// The input of a report: a log that is replayed, or a database that was made from one.
public struct ReportSource: Sendable {
  /// The path of the log's directory or of the database.
  public let path: String
  /// The names of the log, of the vocabularies that the report uses.
  public let names: LogNames
  /// The dimension by which results are broken down; nil for none.
  public private(set) var dimension: Dimension?
  /// The days of the time zone of the report.
  package let calendar: DayCalendar
  /// The log; nil for a database.
  public let log: LogReader?
  /// Whether a message has explained why there may be nothing to report.
  package let isExplained: Bool
  private(set) var origin: Origin
  /// The computation that shares passes over the log with others; nil for one that makes its own.
  var computation: SharedComputation?
  var message: @Sendable (String) -> Void

  enum Origin {
    case log(LogReplay, UnitSelection)
    case database(any KeptUnitSource)
    case merged(MergedUnits, UnitSelection, Partial)
  }

  /// Creates a source of a selection from a log.
  package init(
    _ report: some Report, _ replay: LogReplay, _ selection: UnitSelection, names: LogNames,
    isExplained: Bool = false, message: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    var selection = selection
    selection.dimension = report.dimension ?? selection.dimension
    path = replay.log.path
    calendar = selection.calendar
    self.names = names
    dimension = selection.dimension
    log = replay.log
    self.isExplained = isExplained
    self.message = message
    origin = .log(replay, selection)
  }

  /// Creates a source of the contents of a database, which has no dimension.
  package init(
    _ units: any KeptUnitSource, path: String, calendar: DayCalendar = .utc,
    message: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.path, self.calendar) = (path, calendar)
    names = units.names
    dimension = nil
    log = nil
    isExplained = false
    self.message = message
    origin = .database(units)
  }

  /// Creates a source of the merged states of parts of a log.
  package init(
    _ report: some Report, _ units: MergedUnits, _ partial: Partial, _ selection: UnitSelection,
    path: String, message: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.path, calendar) = (path, selection.calendar)
    names = units.names
    dimension = report.dimension ?? selection.dimension
    log = nil
    isExplained = false
    self.message = message
    origin = .merged(units, selection, partial)
  }

  /// A lookup for names that are parameters of the report.
  public var lookup: NameLookup {
    let isEmpty: Bool
    switch origin {
    // A part of a log need not have every name.
    case .log(let replay, _): isEmpty = replay.log.eventCount == 0 || replay.exchange != nil
    case .database(let units): isEmpty = units.position == 0
    case .merged(_, _, let partial): isEmpty = partial.eventCount == 0
    }
    return NameLookup(path: path, names: names, isEmpty: isEmpty, message: message)
  }

  /// Returns a part of the source. What is already selected, such as by options, stays selected.
  ///
  /// - Parameter part: The part.
  /// - Returns: The source of the part.
  /// - Throws: ``ReportError`` if a database does not keep what the part needs.
  func selecting(_ part: ReportPart) throws(ReportError) -> ReportSource {
    var source = self
    switch origin {
    case .log(let replay, var selection):
      selection.experiments = part.experiments
      selection.since = selection.since ?? part.since?.microseconds
      selection.until = selection.until ?? part.until?.microseconds
      selection.dimension = selection.dimension ?? part.dimension
      source.dimension = selection.dimension
      source.origin = .log(replay, selection)
    case .database(var units):
      if let needs = part.needsOfLog {
        throw ReportError(
          .needsLog,
          "\(path) is a database, which does not support \(needs) of an analysis file; give the log itself"
        )
      }
      units.experiments = part.experiments
      source.origin = .database(units)
    case .merged:
      throw ReportError(
        .badParameter, "analysis is not available with partials; give the options of the report")
    }
    return source
  }

  /// The time of the last event that is read, or the end of the time range if that is earlier; nil if it is not known.
  var asOf: Timestamp? { end(before: 0) }

  /// Returns the source without the events from a time on.
  ///
  /// - Throws: ``ReportError`` if it is not a log.
  func ending(at time: Timestamp) throws(ReportError) -> ReportSource {
    guard case .log(let replay, var selection) = origin else {
      throw ReportError(.needsLog, "\(path) is no log, which planned looks need; give the log itself")
    }
    selection.until = min(selection.until ?? .max, time.microseconds)
    var source = self
    source.origin = .log(replay, selection)
    return source
  }

  /// The source without a breakdown.
  var undivided: ReportSource {
    var source = self
    source.dimension = nil
    if case .log(let replay, var selection) = origin {
      selection.dimension = nil
      source.origin = .log(replay, selection)
    }
    return source
  }

  /// Opens another log, to be read as this one is: with the same damage skipped, threads and memory.
  func opening(_ path: String) throws -> LogReplay {
    guard case .log(let replay, _) = origin else { return LogReplay(try LogReader(path)) }
    let log = try LogReader(path, damaged: replay.log.policy)
    return LogReplay(log, jobs: replay.jobs, memoryLimit: replay.memoryLimit)
  }

  /// The latest time of an event before the selected end; nil without events, and for merged parts.
  var latest: Timestamp? { end(before: 1) }

  /// The time up to which the events are taken to be all there: that of the last one or, where an end is selected, that
  /// end, if it is at most the end of the day of the last event.
  var completeUntil: Timestamp? {
    guard let latest = end(before: 0), case .log(let replay, let selection) = origin, let until = selection.until,
      let last = replay.log.latest
    else { return end(before: 0) }
    let midnight = calendar.start(ofDay: calendar.day(of: last.microseconds) + 1)
    return max(latest, Timestamp(microseconds: min(until, midnight)))
  }

  /// Returns the time of the last event, or so many microseconds before the selected end if that is earlier.
  private func end(before margin: Int64) -> Timestamp? {
    if case .database(let units) = origin { return units.latest }
    guard case .log(let replay, let selection) = origin, let latest = replay.log.latest else { return nil }
    return selection.until.map { min(latest, Timestamp(microseconds: $0 - margin)) } ?? latest
  }

  /// The codes of the selected experiments; nil for all.
  var experiments: Set<UInt32>? {
    switch origin {
    case .log(_, let selection): selection.experiments
    case .database(let units): units.experiments
    case .merged(_, let selection, _): selection.experiments
    }
  }

  /// Whether some experiments of the log are not selected.
  var leavesOutExperiments: Bool {
    guard let experiments else { return false }
    return (0..<names.codeLimit(.experiments)).contains {
      !experiments.contains($0) && names.bytes($0, in: .experiments) != nil
    }
  }

  /// Whether the probabilities of all choices are known; databases do not store them.
  var hasProbabilities: Bool {
    if case .database = origin { return false }
    return true
  }

  /// Whether the source is a part of a log, or merged from parts.
  var isOfParts: Bool {
    switch origin {
    case .log(let replay, _): replay.exchange != nil
    case .merged: true
    case .database: false
    }
  }

  /// The events that could not be read, and the positions of the log.
  var extent: (unreadable: Int, positions: Int) {
    switch origin {
    case .log(let replay, _):
      (Int(clamping: replay.log.lostEventCount), Int(clamping: replay.log.eventCount))
    case .database: (0, 0)
    case .merged(_, _, let partial): (partial.lostEventCount, partial.eventCount)
    }
  }

  /// Notes the time zone of the report, unless it is UTC, and the damaged parts of the log in a table.
  func note(in table: inout Table) {
    table.note(timeZone: calendar)
    switch origin {
    case .log(let replay, _): table.note(lossesOf: replay.log)
    case .database: break
    case .merged(_, _, let partial):
      table.note(losses: partial.losses, events: partial.lostEventCount)
    }
  }

  /// Passes on a message that is not part of the report. Messages are dropped when the library is called directly.
  public func say(_ text: String) { message(text) }

  /// Returns the result of each projector over all units.
  ///
  /// - Throws: Any error that prevents the log or the database from being read.
  public func run<each P: UnitProjector>(
    units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    switch origin {
    case .log(let replay, let selection):
      try units(replay, selection).run(units: repeat each projectors)
    case .database(let units): try units.run(units: repeat each projectors)
    case .merged(let units, _, _): try units.run(units: repeat each projectors)
    }
  }

  /// Finds the caps of metrics that are percentiles, in a pass of its own; no pass if there is none.
  ///
  /// - Throws: ``ReportError`` for a part of a log; any error that prevents the log or the database from being read.
  func setCaps(of projector: inout MetricProjector) throws {
    guard let uncapped = projector.withoutCaps else { return }
    guard !isOfParts else {
      throw ReportError(
        .badParameter,
        "a cap at a percentile is one of all units, and not available with partials; give a number as cap")
    }
    projector.setCaps(of: try run(units: uncapped))
  }

  private func units(_ replay: LogReplay, _ selection: UnitSelection) -> LogUnits {
    LogUnits(replay, selection, for: computation)
  }

  /// Returns the regret of the logged decisions.
  func regret(_ rules: RegretRules) throws -> RegretCurves {
    switch origin {
    case .log(let replay, let selection): try units(replay, selection).regret(rules)
    case .database(let units): try units.regret(rules)
    case .merged(let units, _, _): try units.regret(rules)
    }
  }

  /// Returns the probabilities and rewards of decisions.
  ///
  /// - Throws: ``ReportError`` for a database.
  func adaptiveStreams(_ attribution: Attribution) throws -> AdaptiveStreams {
    guard case .log(let replay, let selection) = origin else {
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not store the probabilities of choices that this report needs; "
          + "give the log itself")
    }
    return try units(replay, selection).adaptiveStreams(attribution)
  }

  /// Returns the policy learned from the only selected experiment, with the experiment's name.
  ///
  /// - Throws: ``ReportError`` for a database, and unless one experiment is selected.
  func learning(_ plan: LearningPlan) throws -> (experiment: String, learning: Learning) {
    guard case .log(let replay, let selection) = origin else {
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not store the choices of decisions that learning needs; give the log itself"
      )
    }
    let all = names.texts(.experiments).filter { name in
      names.code(of: name, in: .experiments).map { selection.experiments?.contains($0) ?? true }
        ?? false
    }
    guard let first = all.first, let code = names.code(of: first, in: .experiments) else {
      throw ReportError(.badData, "\(path) has no experiment to learn from")
    }
    guard all.count == 1 else {
      throw ReportError(
        .badParameter,
        "experiment must be one of \(all.prefix(20).joined(separator: ", ")), for which a policy is learned"
      )
    }
    do {
      return (first, try replay.learn(selection, experiment: code, plan))
    } catch let error as NoDecisionsError {
      throw ReportError(.badData, "\(path), experiment \"\(first)\": \(error)")
    }
  }

  /// Returns the quality of predictions of the next choices of units.
  ///
  /// - Throws: ``ReportError`` for a database.
  func predictions(_ rules: PredictionRules) throws -> PredictionResult {
    switch origin {
    case .log(let replay, let selection): return try replay.predictions(selection, rules)
    case .merged(let units, _, _): return try units.predictions(rules)
    case .database:
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not store the options taken that this report needs; give the log itself"
      )
    }
  }

  /// Returns the counts behind the data-quality checks.
  func healthEvidence(_ projector: HealthProjector) throws -> HealthEvidence {
    switch origin {
    case .log(let replay, let selection):
      let positions = try replay.log.eventCount(in: replay.exchange?.shard ?? .whole)
      let shared = computation?.shared
      let counts = AuditedLog.Counts(
        audit: try shared?.audit(selection) ?? LogAudit(replay, selection),
        positions: Int(clamping: positions))
      var evidence = evidence(
        try units(replay, selection).run(units: projector, auditing: AuditedLog(counts)),
        of: selection.experiments)
      // Those of a part are not all that share an id; the merged parts say that none was counted.
      evidence.ids =
        replay.exchange == nil ? try shared?.sharedIDs() ?? replay.log.sharedIDs() : nil
      return evidence
    case .merged(let units, _, _):
      return evidence(try units.run(units: projector, auditing: AuditedLog()))
    case .database(let units):
      var tallies = try units.run(units: projector)
      noteUnstoredProbabilities(of: tallies.exposures.map(\.key), in: &tallies.expected)
      return evidence(
        tallies, units.audit, positions: Int(clamping: units.position), of: units.experiments)
    }
  }

  /// Notes in expectations what a database does not store of the decisions of segments with exposures.
  func noteUnstoredProbabilities(
    of segments: some Sequence<Segment>, in expected: inout [Segment: ExpectedExposures]
  ) {
    guard case .database(let units) = origin else { return }
    expected.noteUnstored(of: segments, units.audit.propensities(of: units.experiments))
  }

  private func evidence(
    _ counted: (tallies: HealthTallies, log: AuditedLog.Counts), of experiments: Set<UInt32>? = nil
  ) -> HealthEvidence {
    evidence(
      counted.tallies, counted.log.audit, positions: counted.log.positions, of: experiments)
  }

  /// Returns the evidence after the events were read, which is when damage is found.
  private func evidence(
    _ tallies: HealthTallies, _ audit: LogAudit, positions: Int, of experiments: Set<UInt32>? = nil
  ) -> HealthEvidence {
    var evidence = HealthEvidence(
      tallies: tallies, propensities: audit.propensities(of: experiments), absent: audit.absent,
      unreadable: extent.unreadable, positions: positions)
    if audit.hasIDs { evidence.ids = nil }
    return evidence
  }
}

/// Units stored in a database.
package protocol KeptUnitSource: UnitSource {
  /// The names of the log: experiments, points, slots, variants and goals.
  var names: LogNames { get }
  /// The position of the first event of the log that the database does not contain.
  var position: UInt64 { get }
  /// The time of the last event that the database contains; nil without events.
  var latest: Timestamp? { get }
  /// Counts of the log's rows for the data-quality checks.
  var audit: LogAudit { get }
  /// The codes of the selected experiments; nil for all.
  var experiments: Set<UInt32>? { get set }
}

/// A part of a log that a report treats in its own way.
struct ReportPart {
  /// The codes of the experiments; nil for all.
  var experiments: Set<UInt32>?
  var since: Timestamp?
  var until: Timestamp?
  var dimension: Dimension?

  /// The first of the settings that a database does not support; nil for none.
  var needsOfLog: String? {
    since != nil ? "since" : until != nil ? "until" : dimension != nil ? "dimensions" : nil
  }
}
