public import EventLog
public import Replay

/// What a report is made of: a log that is replayed, or a database that was made of one.
public struct ReportSource: Sendable {
  /// The folder of the log, or the database.
  public let path: String
  /// The names of the log, of the vocabularies that the report asked for.
  public let names: LogNames
  /// What results are broken down by.
  public let dimension: Dimension?
  /// The log; nil where there is only a database.
  public let log: LogReader?
  /// Whether a message said why there may be nothing to report.
  package let isExplained: Bool
  private let origin: Origin
  private let message: @Sendable (String) -> Void

  private enum Origin {
    case log(LogReplay, UnitSelection)
    case database(any KeptUnitSource)
  }

  /// What is selected of a log.
  package init(
    _ report: some Report, _ replay: LogReplay, _ selection: UnitSelection, names: LogNames,
    isExplained: Bool = false, message: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    var selection = selection
    selection.dimension = report.dimension ?? selection.dimension
    path = replay.log.path
    self.names = names
    dimension = selection.dimension
    log = replay.log
    self.isExplained = isExplained
    self.message = message
    origin = .log(replay, selection)
  }

  /// What a database holds. It knows no dimension.
  package init(
    _ units: any KeptUnitSource, path: String,
    message: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    names = units.names
    dimension = nil
    log = nil
    isExplained = false
    self.message = message
    origin = .database(units)
  }

  /// Finds names that the report was given.
  public var lookup: NameLookup {
    let isEmpty: Bool
    switch origin {
    case .log(let replay, _): isEmpty = replay.log.eventCount == 0
    case .database(let units): isEmpty = units.position == 0
    }
    return NameLookup(path: path, names: names, isEmpty: isEmpty, message: message)
  }

  /// Tells whoever asked for the report something that is no part of it. Nobody hears it where a library is called.
  public func say(_ text: String) { message(text) }

  /// What each of the projectors computes from all units.
  ///
  /// - Throws: What keeps the log or the database from being read.
  public func run<each P: UnitProjector>(
    units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    switch origin {
    case .log(let replay, let selection):
      try LogUnits(replay, selection).run(units: repeat each projectors)
    case .database(let units): try units.run(units: repeat each projectors)
    }
  }

  /// What the decisions lost against the best variant.
  func regret(_ rules: RegretRules) throws -> RegretCurves {
    switch origin {
    case .log(let replay, let selection): try replay.regret(selection, rules)
    case .database(let units): try units.regret(rules)
    }
  }

  /// What decisions gave their choices and earned.
  ///
  /// - Throws: ``ReportError`` where there is only a database.
  func adaptiveStreams(_ attribution: Attribution) throws -> AdaptiveStreams {
    guard case .log(let replay, let selection) = origin else {
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not keep the probabilities of choices that this report needs; "
          + "give the log itself")
    }
    return try replay.adaptiveStreams(selection, attribution)
  }

  /// How good predictions of what units do next are.
  ///
  /// - Throws: ``ReportError`` where there is only a database.
  func predictions(_ rules: PredictionRules) throws -> PredictionResult {
    guard case .log(let replay, let selection) = origin else {
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not keep what units took, as this report needs; give the log itself"
      )
    }
    return try replay.predictions(selection, rules)
  }

  /// What can be counted of the health of the data.
  func healthEvidence(_ projector: HealthProjector) throws -> HealthEvidence {
    let tallies = try run(units: projector)
    switch origin {
    case .log(let replay, let selection):
      let audit = try LogAudit(replay, selection)
      return HealthEvidence(
        tallies: tallies, propensities: audit.propensities(), absent: audit.absent,
        unreadable: Int(clamping: replay.log.lostEventCount),
        positions: Int(clamping: replay.log.eventCount))
    case .database(let units):
      return HealthEvidence(
        tallies: tallies, propensities: units.audit.propensities(of: units.experiments),
        absent: units.audit.absent, unreadable: 0, positions: Int(clamping: units.position))
    }
  }
}

/// Units that a database keeps.
package protocol KeptUnitSource: UnitSource {
  /// The names of the log: experiments, points, slots, variants and goals.
  var names: LogNames { get }
  /// The position of the first event of the log that is not in it.
  var position: UInt64 { get }
  /// What the rows of the log say of its health.
  var audit: LogAudit { get }
  /// Codes of the experiments whose decisions and goals are looked at; nil for all.
  var experiments: Set<UInt32>? { get }
}
