public import EventLog
public import Events
public import Replay
public import Reports

/// An SQLite database with the read models of a log, updated incrementally: report tables for any tool, and the state
/// that updates need.
///
/// Beside the tables of the reports it stores the events of each unit and the states of the projections. New events
/// of a unit, including late ones, can change the outcome of its old ones; so the unit's previous contribution is
/// subtracted from the states, and its new one added. A replay is one transaction, including its position in the log:
/// it is applied exactly once, or not at all.
public struct ReadModel: Sendable {
  /// The path of the database.
  public let path: String
  /// The reports whose read models the database has.
  public let reports: ReportCatalog
  /// The days of the tables; nil for those that the database has, which are of UTC unless it was told otherwise.
  public let calendar: DayCalendar?

  /// Creates a reference to the database at a path, without opening it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reports: The reports of which those that conform to `ReportWithReadModel` are kept: the built-in ones, or
  ///     these and others.
  ///   - calendar: The days of the tables; nil for those that the database has. Tables of other days are recomputed
  ///     from the database.
  public init(_ path: String, reports: ReportCatalog = .standard, calendar: DayCalendar? = nil) {
    self.path = path
    self.reports = reports
    self.calendar = calendar
  }

  /// Brings the database up to date with a log, or creates it.
  ///
  /// - Parameters:
  ///   - log: The log, which is only read. It must be undamaged: lost events cannot be added later.
  ///   - jobs: The number of threads; the number of processors by default.
  ///   - memoryLimit: The memory for collecting the new events, in bytes; beyond it they spill to a temporary file.
  ///     Nil for no limit.
  ///   - force: Whether to recreate a file that is damaged, not a database, or of another log or a newer version. A
  ///     database of another program is never replaced.
  ///   - progress: Called with the number of events read so far, by one thread at a time.
  /// - Returns: A description of the update.
  /// - Throws: ``ProjectionError``; `LogError` if the log cannot be read. The database is then unchanged.
  /// - Complexity: O(new events and those of their units); occasional merges of stored events add O(log n) to each
  ///   event over its lifetime.
  public func update(
    from log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil, force: Bool = false,
    progress: (@Sendable (UInt64) -> Void)? = nil
  ) throws -> ReadModelUpdate {
    try update(
      from: LogReplay(log, jobs: jobs, memoryLimit: memoryLimit, progress: progress), force: force)
  }

  // Tests of versions replace the projections; the probe is called after each change of the file, for tests of
  // crashes.
  func update(
    from replay: LogReplay, force: Bool = false,
    projections: [any KeptProjection]? = nil,
    probe: (@Sendable () throws -> Void)? = nil
  ) throws -> ReadModelUpdate {
    let make = { (target: String) in
      try ProjectionError.wrapping(path, isWriting: true) {
        let file = try ModelFile(target, readonly: false)
        do {
          let update = { (db: SQLConnection) throws in
            let calendar = try days(of: db)
            return UpdateTransaction(
              db, replay, projections ?? self.projections(in: calendar), calendar, path: path, force: force,
              probe: probe)
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

  /// Returns the stored result of a report with its standard parameters.
  ///
  /// - Throws: ``ProjectionError``.
  public func result<R: ReportWithReadModel>(of report: R.Type) throws -> KeptResult<R.Kept.Result> {
    try reading { db, checkpoint in
      let projection = R.readModel(in: try days(of: checkpoint.zone))
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

extension ReadModel {
  /// The days of the tables that the database has.
  ///
  /// - Throws: ``ProjectionError``.
  package var storedCalendar: DayCalendar {
    get throws { try reading { _, checkpoint in try days(of: checkpoint.zone) } }
  }

  /// Returns the days of a database that is going to be written.
  private func days(of db: SQLConnection) throws -> DayCalendar {
    if let calendar { return calendar }
    guard try db.value("PRAGMA application_id").integer == ModelFile.applicationID,
      try db.value("PRAGMA user_version").integer == ModelFile.layout
    else { return .utc }
    return try days(of: Checkpoint(db).zone)
  }

  private func days(of zone: String) throws(ProjectionError) -> DayCalendar {
    do {
      return try ZoneDatabase.calendar(zone)
    } catch {
      throw ProjectionError(.inputOutput, "its tables have the days of \(zone): \(error)", path: path)
    }
  }
}

/// A stored result, with the names of the log.
public struct KeptResult<Result: Sendable>: Sendable {
  /// The result of the projection.
  public let result: Result
  /// The names of the log: experiments, points, slots, variants and goals.
  public let names: LogNames
  /// The position of the first event of the log that the result does not include.
  public let position: UInt64
}

extension ProjectionError {
  /// Whether recreating the database with `force` fixes the error.
  var isMendedByForce: Bool {
    [.notADatabase, .damaged, .newerVersion].contains(code)
  }
}
