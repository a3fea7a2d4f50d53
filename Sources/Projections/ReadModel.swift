public import EventLog
internal import GRDB
public import Replay
internal import Reports
internal import Statistics

/// A database with what reports say of a log: SQLite tables that any tool reads, and what it takes to bring them up to
/// date with the log's new events alone.
///
/// Beside the tables of the reports it keeps the events of each unit and the states of the projections. New events of
/// a unit may change what became of its old ones, late events too; so what the unit added before is taken out of the
/// states, and what it adds now put in. Everything of one replay, with the place in the log up to which it goes, is one
/// transaction: it is there once, or not at all.
public struct ReadModel: Sendable {
  /// The path of the database.
  public let path: String

  /// The database at a path; nothing is opened yet.
  public init(_ path: String) {
    self.path = path
  }

  /// Brings the database up to date with a log, or makes it.
  ///
  /// - Parameters:
  ///   - log: The log, which is only read. It must be whole: what is lost of it cannot be put in later.
  ///   - jobs: How many threads work at once; as many as there are processors by default.
  ///   - memoryLimit: Memory in bytes that the new events may take while they are put together; beyond it they go to
  ///     a temporary file. Nil for no limit.
  ///   - force: Whether a file that is damaged, no database, or of another log or a newer version is made anew. A
  ///     database of somebody else never is.
  ///   - progress: Called with the number of events read so far, by one thread at a time.
  /// - Returns: What was done.
  /// - Throws: ``ProjectionError``; `LogError` when the log cannot be read. The database is as it was before then.
  /// - Complexity: O(new events and those of their units); now and then more of what is there is put in order, which
  ///   adds O(log n) to each event over its life.
  public func update(
    from log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil, force: Bool = false,
    progress: (@Sendable (UInt64) -> Void)? = nil
  ) throws -> ReadModelUpdate {
    try update(
      from: LogReplay(log, jobs: jobs, memoryLimit: memoryLimit, progress: progress), force: force)
  }

  // The projections are others in tests of versions; the probe is called after each change that the file sees, for tests
  // of what a crash leaves.
  func update(
    from replay: LogReplay, force: Bool = false,
    projections: [any KeptProjection] = ReadModel.projections,
    probe: (@Sendable () throws -> Void)? = nil
  ) throws -> ReadModelUpdate {
    let make = { (target: String) in
      try ProjectionError.wrapping(path, isWriting: true) {
        let file = try ModelFile(target, readonly: false)
        do {
          let update = { db in
            UpdateTransaction(db, replay, projections, path: path, force: force, probe: probe)
          }
          let done = try file.write(unless: { try update($0).unchanged() }) { db in
            try update(db).run()
          }
          try file.close()
          return done
        } catch {
          try? file.close()
          throw error
        }
      }
    }
    do {
      return try make(path)
    } catch let error as ProjectionError where force && error.isMendedByForce {
      return try ModelReplacement(path).make(make)
    }
  }

  /// The rewards by variant that the database has, with the default `Attribution`.
  ///
  /// - Throws: ``ProjectionError``.
  public func rewards() throws -> KeptResult<RewardTallies> {
    try result(RewardReport.readModel)
  }

  /// The conversions by variant and goal that the database has, within 7 days of the first exposure.
  ///
  /// - Throws: ``ProjectionError``.
  public func conversions() throws -> KeptResult<ConversionTallies> {
    try result(ConversionReport.readModel)
  }

  /// What happened day by day, with the default `Attribution`, that the database has.
  ///
  /// - Throws: ``ProjectionError``.
  public func series() throws -> KeptResult<SeriesTallies> {
    try result(SeriesReport.readModel)
  }

  /// The visits by variant that the database has; 30 minutes without an event end one.
  ///
  /// - Throws: ``ProjectionError``.
  public func visits() throws -> KeptResult<VisitTallies> {
    try result(VisitReport.readModel)
  }

  /// The rewards of units by variant that the database has, by which variants are compared.
  ///
  /// - Throws: ``ProjectionError``.
  public func comparison() throws -> KeptResult<MetricTallies> {
    try result(ComparisonReport.readModel)
  }

  /// The result of a projection that the database has.
  func result<P: RevisableUnitProjector>(
    _ projection: KeptReport<P>
  ) throws -> KeptResult<P.Result> {
    try reading { db, checkpoint in
      let context = UnitContext(arms: try KeptNames.arms(db), latest: checkpoint.latest)
      let kept = try KeptState.find(projection.name, db)
      guard let kept, kept.version >= projection.version else {
        throw ProjectionError(
          .olderVersion,
          "it has no \(projection.name) of this version; run `bandolier replay` to bring it up to date",
          path: path)
      }
      try kept.refuseNewer(than: projection.version, path: path)
      try Seal.check(db)
      let state = try projection.state(kept.state, context)
      return KeptResult(
        result: projection.projector.result(of: state, context), names: try KeptNames.names(db),
        position: checkpoint.position)
    }
  }
}

/// What a database says, and the names to say it with.
public struct KeptResult<Result: Sendable>: Sendable {
  /// The result of the projection.
  public let result: Result
  /// The names of the log: experiments, points, slots, variants and goals.
  public let names: LogNames
  /// The position of the first event of the log that is not in it.
  public let position: UInt64
}

extension ProjectionError {
  /// Whether making the database anew is what the user asked for.
  var isMendedByForce: Bool {
    [.notADatabase, .damaged, .newerVersion].contains(code)
  }
}
