internal import EventLog
internal import Events
internal import Replay
internal import Specifications
internal import Tables
internal import Threads

/// An update of a database by one replay, within one transaction.
struct UpdateTransaction {
  private let db: SQLConnection
  private let replay: LogReplay
  private let projections: [any KeptProjection]
  private let calendar: DayCalendar
  private let path: String
  private let force: Bool
  private let probe: (@Sendable () throws -> Void)?

  init(
    _ db: SQLConnection, _ replay: LogReplay, _ projections: [any KeptProjection], _ calendar: DayCalendar,
    path: String, force: Bool, probe: (@Sendable () throws -> Void)?
  ) {
    self.db = db
    self.replay = replay
    self.projections = projections
    self.calendar = calendar
    self.path = path
    self.force = force
    self.probe = probe
  }

  private var log: LogReader { replay.log }

  /// Returns the update if there is nothing to do, without writing anything.
  func unchanged() throws -> ReadModelUpdate? {
    guard try !ModelFile.isEmpty(db) else { return nil }
    try ModelFile.check(db, path: path)
    guard try db.value("PRAGMA user_version").integer == ModelFile.layout else { return nil }
    let checkpoint = try Checkpoint(db)
    let kept = try KeptState.all(db)
    try refuseNewer(kept)
    try Seal.check(db)
    guard try reasonToStartAnew(checkpoint) == nil, isCurrent(kept), checkpoint.zone == calendar.zone,
      checkpoint.position == log.eventCount
    else { return nil }
    return ReadModelUpdate(
      kind: .unchanged, position: checkpoint.position, eventsRead: 0, unitsTouched: 0,
      projectionsRebuilt: [])
  }

  func run() throws -> ReadModelUpdate {
    // Another process may have done it while this one waited.
    if let unchanged = try unchanged() { return unchanged }
    guard try !ModelFile.isEmpty(db) else {
      try Schema.make(db)
      return try update(.made, nil)
    }
    let layout = try db.value("PRAGMA user_version").integer ?? 0
    guard layout == ModelFile.layout else {
      return try startAnew("its layout \(layout) is older than \(ModelFile.layout)")
    }
    let checkpoint = try Checkpoint(db)
    if let reason = try reasonToStartAnew(checkpoint) { return try startAnew(reason) }
    try Seal.checkHistories(db)
    return try update(.appended, checkpoint)
  }

  private func refuseNewer(_ kept: [KeptState]) throws {
    for state in kept {
      let known = projections.first { $0.name == state.name }?.version
      try state.refuseNewer(than: known, path: path)
    }
  }

  private func isCurrent(_ kept: [KeptState]) -> Bool {
    projections.allSatisfy { projection in
      kept.contains { $0.isCurrent(for: projection) }
    }
  }

  private func startAnew(_ reason: String) throws -> ReadModelUpdate {
    // Data erased from the log must not remain in free pages.
    _ = try db.value("PRAGMA secure_delete = ON")
    try Schema.drop(projections, db)
    try Schema.make(db)
    return try update(.madeAnew(reason: reason), nil)
  }

  // MARK: What there is to do

  /// Returns why the contents of the database cannot be updated; nil if they can.
  private func reasonToStartAnew(_ checkpoint: Checkpoint) throws -> String? {
    if checkpoint.position > 0, checkpoint.log != log.id?.description {
      guard force else {
        throw ProjectionError(
          .otherLog,
          "it is of the log \(checkpoint.log), and \(log.path) is the log \(log.id?.description ?? "without an id"); "
            + "name another file, or rebuild it from this log (--force)", path: path)
      }
      return "it was of the log \(checkpoint.log)"
    }
    if checkpoint.position > 0, log.chainCheck(at: checkpoint.position) != checkpoint.check {
      return "the log has been rewritten since (compacted, erased from, or repaired)"
    }
    if !checkpoint.needs.isSuperset(of: ReadModel.needs) {
      return "an older version kept fewer kinds of events"
    }
    if checkpoint.bucketCount < Self.bucketCount(log) / 16 {
      return "it has grown so much that its events are repartitioned"
    }
    return nil
  }

  /// Returns one bucket for about every 16,384 events, at least 16.
  private static func bucketCount(_ log: LogReader) -> Int {
    min(max(16, Int(clamping: log.eventCount) >> 14), HistoryTable.mostBuckets)
  }

  // MARK: Doing it

  /// Adds what is new since the checkpoint; everything if there is none.
  private func update(
    _ kind: ReadModelUpdate.Kind, _ checkpoint: Checkpoint?
  ) throws -> ReadModelUpdate {
    let names = try LogNames(log, Set(ReadModel.vocabularies))
    let before = try KeptNames.arms(db)
    var selection = UnitSelection()
    selection.from = checkpoint?.position ?? 0
    let units = try replay.collect(
      selection, ReadModel.needs, known: try known(before, StandardNames(names)),
      bucketCount: checkpoint?.bucketCount ?? Self.bucketCount(log))
    let context = UnitContext(
      arms: units.context.arms, latest: max(units.context.latest, checkpoint?.latest ?? .min))
    let (slots, outdated) = try makeSlots(context, isNew: checkpoint == nil)
    var runs = try HistoryRuns(db)
    let table = Monitor(try HistoryTable(db, probe: probe))
    let change = HistoryChange(
      units: units, context: context, table: table, runs: runs.count,
      target: runs.target(adding: units.eventCount))
    let done = try Preparation.run(
      change, slots, replay, from: selection.from, firstUnit: checkpoint?.unitLimit ?? 1)
    if units.eventCount > 0 { try runs.add(units.eventCount, to: change.target, db) }
    try HistoryScan(
      units: HistoryUnits(
        context: context, bucketCount: units.bucketCount, table: table, runs: runs.count)
    ).run(jobs: replay.jobs, outdated)
    var audit = try checkpoint?.audit() ?? LogAudit()
    audit.merge(done.audit)
    try write(slots + outdated, names, context, audit.propensities(), armsBefore: before)
    try KeptHashes.write(done.hashes, log, from: checkpoint?.unitLimit ?? 1, db)
    try probe?()
    try Checkpoint(
      log, audit, latest: context.latest, needs: ReadModel.needs,
      bucketCount: units.bucketCount, zone: calendar.zone
    ).write(db)
    try Seal.writeHistories(db)
    try Seal.write(db)
    try probe?()
    return ReadModelUpdate(
      kind: kind, position: log.eventCount, eventsRead: log.eventCount - selection.from,
      unitsTouched: done.touched, projectionsRebuilt: outdated.map(\.name))
  }

  /// Returns the arms of the database. An arm without point or slot gets the code of the default one as soon as the
  /// log has a code for it.
  private func known(_ arms: [Arm], _ standard: StandardNames) throws -> ArmRegister {
    let register = ArmRegister(
      arms.map { arm in
        Arm(
          experiment: arm.experiment, point: arm.point == 0 ? standard.point : arm.point,
          slot: arm.slot == 0 ? standard.slot : arm.slot, variant: arm.variant)
      })
    guard let register else { throw StateError("the list of arms is damaged") }
    return register
  }

  /// Returns the projections that continue from their states, and those recomputed from the histories.
  private func makeSlots(
    _ context: UnitContext, isNew: Bool
  ) throws -> (slots: [any ProjectionSlot], outdated: [any ProjectionSlot]) {
    if isNew { return (projections.map { $0.makeSlot(context) }, []) }
    let kept = try KeptState.all(db)
    var slots: [any ProjectionSlot] = []
    var outdated: [any ProjectionSlot] = []
    for projection in projections {
      if let state = kept.first(where: { $0.isCurrent(for: projection) }) {
        slots.append(try projection.makeSlot(state.state, context))
      } else {
        outdated.append(projection.makeSlot(context))
      }
    }
    return (slots, outdated)
  }

  private func write(
    _ slots: [any ProjectionSlot], _ names: LogNames, _ context: UnitContext,
    _ propensities: PropensityTallies, armsBefore: [Arm]
  ) throws {
    try KeptNames.write(context.arms, before: armsBefore, db)
    try probe?()
    try KeptNames.write(names, db)
    try probe?()
    let written = projections.compactMap { projection in
      slots.first { $0.name == projection.name }.map { (projection, slot: $0) }
    }
    // States and tables are computed by all threads, and written in order.
    let contents = try Workers.map(2 * written.count, jobs: replay.jobs) { number in
      let slot = written[number / 2].slot
      return number % 2 == 0
        ? Content(tables: try slot.tables(names, propensities)) : Content(state: slot.write())
    }
    for (number, (projection, _)) in written.enumerated() {
      try KeptState.write(projection, contents[2 * number + 1].state, db)
      try probe?()
      try ResultTables.write(contents[2 * number].tables, of: projection, db)
      try probe?()
    }
  }

  /// The output of a projection: the encoded state or the tables.
  private struct Content: Sendable {
    var state: [UInt8] = []
    var tables: [Table] = []
  }
}
