import EventLog
import Projections
import Replay
import Reports

/// What a report is made of: a log that is replayed, or a database that `bandolier replay` made of one.
struct ReportSource {
  private enum Origin {
    case log(Replay, UnitSelection)
    case database(KeptUnits)
  }

  /// The folder of the log, or the database.
  let path: String
  let names: LogNames
  private let origin: Origin

  /// What is selected of a log.
  init(_ replay: Replay, _ selection: UnitSelection, names: LogNames) {
    path = replay.log.path
    self.names = names
    origin = .log(replay, selection)
  }

  /// What a database holds.
  init(_ units: KeptUnits, path: String) {
    self.path = path
    names = units.names
    origin = .database(units)
  }

  /// The log; nil where there is only a database.
  var log: LogReader? {
    if case .log(let replay, _) = origin { return replay.log }
    return nil
  }

  /// What each of the projectors computes from all units.
  ///
  /// - Parameters:
  ///   - dimension: What results of a log are broken down by instead of `--by`. Databases know none.
  ///   - projectors: What to compute.
  /// - Returns: The results.
  /// - Throws: What keeps the log or the database from being read.
  func run<each P: UnitProjector>(
    by dimension: Dimension? = nil, units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    switch origin {
    case .log(let replay, var selection):
      if let dimension { selection.dimension = dimension }
      return try replay.run(selection, units: repeat each projectors)
    case .database(let units):
      return try units.run(units: repeat each projectors)
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
  /// - Throws: ``Failure`` where there is only a database.
  func adaptiveStreams(_ attribution: Attribution) throws -> AdaptiveStreams {
    guard case .log(let replay, let selection) = origin else {
      throw Failure(
        exitCode: Failure.usage,
        "\(path) is a database, which does not keep the probabilities of choices that this report needs; "
          + "give the log itself")
    }
    return try replay.adaptiveStreams(selection, attribution)
  }

  /// How good predictions of what units do next are.
  ///
  /// - Throws: ``Failure`` where there is only a database.
  func predictions(_ rules: PredictionRules) throws -> PredictionResult {
    guard case .log(let replay, let selection) = origin else {
      throw Failure(
        exitCode: Failure.usage,
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

extension ReportTable {
  /// Notes what of a log was lost while it was read. A database is of a whole log.
  mutating func note(lossesOf source: ReportSource) {
    if let log = source.log { note(lossesOf: log) }
  }
}
