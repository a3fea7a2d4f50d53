package import EventLog
internal import GRDB
package import Replay
internal import Reports
internal import Statistics
internal import Threads

/// What a database holds of a log's units: any projector of units computes from it what it would compute from the log.
package struct KeptUnits: KeptUnitSource {
  /// The names of the log: experiments, points, slots, variants and goals.
  package let names: LogNames
  /// The position of the first event of the log that is not in it.
  package let position: UInt64
  /// What the rows of the log say of its health.
  package let audit: LogAudit
  package let jobs: Int
  package var memoryLimit: Int?
  /// Codes of the experiments whose decisions and goals are looked at; nil for all.
  package var experiments: Set<UInt32>?
  private let histories: HistoryUnits
  private let hashes: KeptHashes

  init(_ db: Database, _ checkpoint: Checkpoint, jobs: Int) throws {
    names = try KeptNames.names(db)
    position = checkpoint.position
    audit = try checkpoint.audit()
    self.jobs = jobs
    hashes = try KeptHashes(db, limit: checkpoint.unitLimit)
    histories = HistoryUnits(
      context: UnitContext(arms: try KeptNames.arms(db), latest: checkpoint.latest),
      bucketCount: checkpoint.bucketCount, table: Monitor(try HistoryTable(db, probe: nil)),
      runs: try HistoryRuns(db).count)
  }

  /// - Throws: `StateError` when the database does not keep what is needed, or is not what was written.
  package func units(_ needs: UnitNeeds) throws -> any BucketedUnits {
    guard ReadModel.needs.isSuperset(of: needs) else {
      throw StateError("it does not keep the probabilities of choices")
    }
    var units = histories
    units.filter = HistoryFilter(needs, experiments)
    // Events of other experiments do not make the data end later.
    if experiments != nil { units.context.latest = try units.latest(jobs: jobs) }
    return units
  }

  package func unitHashes() throws -> UnitHashes { try hashes.read() }
}

extension ReadModel {
  /// Which events of units a database keeps: all that reports need, but for the probabilities of choices.
  static let needs: UnitNeeds = [.decisions, .goals, .conversions, .activity, .propensities]

  /// Hands out the units that the database holds, as they are at one moment, whatever is written to it meanwhile.
  ///
  /// - Parameters:
  ///   - jobs: How many threads work at once; as many as there are processors by default.
  ///   - body: Looks at the units, which must not be used after it.
  /// - Returns: What the closure answers.
  /// - Throws: ``ProjectionError`` and what the closure throws.
  package func reading<Answer>(
    jobs: Int? = nil, _ body: (KeptUnits) throws -> Answer
  ) throws -> Answer {
    try reading { db, checkpoint in
      try Seal.check(db)
      return try body(
        KeptUnits(db, checkpoint, jobs: max(1, jobs ?? Workers.processorCount)))
    }
  }

  /// Opens the database, as it is at one moment, once ``update(from:jobs:memoryLimit:force:progress:)`` has made it.
  func reading<Answer>(_ body: (Database, Checkpoint) throws -> Answer) throws -> Answer {
    try ProjectionError.wrapping(path, isWriting: false) {
      let file = try ModelFile.forReading(path)
      defer { try? file.queue.close() }
      return try file.queue.read { db in
        if try ModelFile.isEmpty(db) {
          throw ProjectionError(
            .notFound,
            "nothing is in it yet; run `bandolier replay LOG --into FILE` with this file",
            path: path)
        }
        try ModelFile.check(db, path: path)
        let checkpoint = try checkpoint(db)
        guard let checkpoint, checkpoint.needs.isSuperset(of: Self.needs) else {
          throw ProjectionError(
            .olderVersion,
            "an older version of bandolier made it; run `bandolier replay` to bring it up to date",
            path: path)
        }
        return try body(db, checkpoint)
      }
    }
  }

  /// Nil where the tables have an older layout.
  private func checkpoint(_ db: Database) throws -> Checkpoint? {
    try db.value("PRAGMA user_version").integer == ModelFile.layout ? try Checkpoint(db) : nil
  }
}
