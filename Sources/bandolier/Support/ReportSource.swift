import EventLog
import Projections
import Replay
import Reports
import Tables

/// What a report is made of: a log that is replayed, or a database that `bandolier replay` made of one.
struct ReportSource {
  private enum Origin {
    case log(Replay, UnitSelection)
    case database(KeptUnits)
  }

  /// The folder of the log, or the database.
  let path: String
  let names: LogNames
  /// What times the log covers; nil where there is only a database.
  let coverage: LogCoverage?
  /// Whether something was noted that explains why an answer is empty.
  let isExplained: Bool
  private let origin: Origin

  /// What is selected of a log.
  init(
    _ replay: Replay, _ selection: UnitSelection, names: LogNames, coverage: LogCoverage,
    isExplained: Bool
  ) {
    path = replay.log.path
    self.names = names
    self.coverage = coverage
    self.isExplained = isExplained
    origin = .log(replay, selection)
  }

  /// What a database holds.
  init(_ units: KeptUnits, path: String) {
    self.path = path
    names = units.names
    coverage = nil
    isExplained = false
    origin = .database(units)
  }

  /// Finds names that the user gave.
  var lookup: NameLookup {
    let isEmpty: Bool
    switch origin {
    case .log(let replay, _): isEmpty = replay.log.eventCount == 0
    case .database(let units): isEmpty = units.position == 0
    }
    return NameLookup(path: path, names: names, isEmpty: isEmpty)
  }

  /// The log; nil where there is only a database.
  var log: LogReader? {
    if case .log(let replay, _) = origin { return replay.log }
    return nil
  }

  /// Refuses a baseline that the log has, but none of the experiments that are looked at.
  ///
  /// - Parameters:
  ///   - baseline: The name of the variant, if one was given.
  ///   - codes: The variants that have results; none where nothing is looked at, which is another matter.
  /// - Throws: ``Failure`` that offers the nearest of them.
  func require(_ baseline: String?, among codes: some Sequence<UInt32>) throws {
    let codes = Set(codes).sorted()
    guard let baseline, !codes.isEmpty else { return }
    if let code = names.code(of: baseline, in: .variants), codes.contains(code) { return }
    let seen = codes.compactMap { names.string($0, in: .variants) }
    throw Failure(
      exitCode: Failure.badData,
      "--baseline \"\(baseline)\" is a variant of none of the experiments that are looked at in \(path)"
        + UnknownName.remedy(for: baseline, among: seen))
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

extension Table {
  /// Notes what of a log was lost while it was read. A database is of a whole log.
  mutating func note(lossesOf source: ReportSource) {
    if let log = source.log { note(lossesOf: log) }
  }
}
