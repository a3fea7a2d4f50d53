package import EventLog
package import Events
internal import Platform
package import Replay
internal import Reports
internal import Specifications
internal import Threads

/// The units of a log as stored in a database: any projector of units computes the same from them as from the log.
package struct KeptUnits: KeptUnitSource {
  package let names: LogNames
  package let position: UInt64
  package let latest: Timestamp?
  package let audit: LogAudit
  package let jobs: Int
  package var memoryLimit: Int?
  package var experiments: Set<UInt32>?
  private let histories: HistoryUnits
  private let hashes: KeptHashes

  init(_ db: SQLConnection, _ checkpoint: Checkpoint, jobs: Int) throws {
    names = try KeptNames.names(db)
    position = checkpoint.position
    latest = checkpoint.asOf
    audit = try checkpoint.audit()
    self.jobs = jobs
    hashes = try KeptHashes(db, limit: checkpoint.unitLimit)
    histories = HistoryUnits(
      context: UnitContext(arms: try KeptNames.arms(db), latest: checkpoint.latest),
      bucketCount: checkpoint.bucketCount, table: Monitor(try HistoryTable(db, probe: nil)),
      runs: try HistoryRuns(db).count)
  }

  /// - Throws: `StateError` if the database does not store what is needed, or is damaged.
  package func units(_ needs: UnitNeeds) throws -> any BucketedUnits {
    guard ReadModel.needs.union(.hashes).isSuperset(of: needs) else {
      throw StateError("it does not keep the probabilities of choices")
    }
    var units = histories
    if needs.contains(.hashes) { units.context.hashes = try hashes.read() }
    units.filter = HistoryFilter(needs, experiments)
    // Events of other experiments do not move the end of the data.
    if experiments != nil { units.context.latest = try units.latest(jobs: jobs) }
    return units
  }
}

extension ReadModel {
  /// The events of units that a database stores: all that reports need, except the probabilities of choices.
  static let needs: UnitNeeds = [.decisions, .goals, .conversions, .activity, .propensities]

  /// Calls the closure with a snapshot of the units in the database, unaffected by concurrent writes.
  ///
  /// - Parameters:
  ///   - jobs: The number of threads; the number of processors by default.
  ///   - body: Uses the units, which must not escape.
  /// - Returns: The result of the closure.
  /// - Throws: ``ProjectionError`` and errors of the closure.
  package func reading<Answer>(
    jobs: Int? = nil, _ body: (KeptUnits) throws -> Answer
  ) throws -> Answer {
    try reading { db, checkpoint in
      try Seal.check(db)
      try Seal.checkHistories(db)
      return try body(
        KeptUnits(db, checkpoint, jobs: max(1, jobs ?? SystemLimits.processorCount)))
    }
  }

  /// Opens a snapshot of the database that ``update(from:jobs:memoryLimit:force:progress:)`` has made.
  func reading<Answer>(_ body: (SQLConnection, Checkpoint) throws -> Answer) throws -> Answer {
    try ProjectionError.wrapping(path, isWriting: false) {
      let file = try ModelFile.forReading(path)
      let db = file.db
      defer { try? db.close() }
      return try db.transaction(.deferred) {
        if try ModelFile.isEmpty(db) {
          throw ProjectionError(
            .notFound,
            "it is empty; run `bandolier replay LOG --into FILE` with this file",
            path: path)
        }
        try ModelFile.check(db, path: path)
        let checkpoint = try checkpoint(db)
        guard let checkpoint, checkpoint.needs.isSuperset(of: Self.needs) else {
          throw ProjectionError(
            .olderVersion,
            "an older version of bandolier created it; run `bandolier replay` to bring it up to date",
            path: path)
        }
        return try body(db, checkpoint)
      }
    }
  }

  /// Reads the checkpoint; nil if the tables have an older layout.
  private func checkpoint(_ db: SQLConnection) throws -> Checkpoint? {
    try db.value("PRAGMA user_version").integer == ModelFile.layout ? try Checkpoint(db) : nil
  }
}
