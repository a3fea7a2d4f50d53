internal import EventLog
internal import Threads

/// A source of units: a log that is replayed, or another store of events by unit.
package protocol UnitSource: Sendable {
  /// The number of threads, at least 1.
  var jobs: Int { get }

  /// The memory limit of a replay in bytes; nil for no limit.
  var memoryLimit: Int? { get }

  /// Returns all units, with the needed events.
  func units(_ needs: UnitNeeds) throws -> any BucketedUnits

  /// Where states are exchanged with those of other logs; nil, the default, for a computation that is complete.
  var exchange: StateExchange? { get }

  /// The computation that shares passes with others, and the part of the log that it is about; nil, the default, for
  /// one that makes passes of its own.
  var sharing: SharedPart? { get }
}

extension UnitSource {
  /// Nil.
  package var exchange: StateExchange? { nil }

  /// Nil.
  package var sharing: SharedPart? { nil }
}

/// Units in buckets, each of which can be read repeatedly.
package protocol BucketedUnits: Sendable {
  /// The context of the units.
  var context: UnitContext { get }

  /// The number of buckets, a power of two. The lowest bits of a unit's code are its bucket.
  var bucketCount: Int { get }

  /// Calls the closure with the history of each unit of a bucket, by ascending codes, and with its largest lateness.
  ///
  /// - Parameters:
  ///   - bucket: The bucket.
  ///   - order: The sorter of events, created for the same number of buckets; private to one thread.
  ///   - body: Receives a history.
  /// - Throws: An error if the events cannot be read, and errors of the closure.
  func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws
}

/// The selected part of a log, as a source of units.
package struct LogUnits: UnitSource {
  let replay: LogReplay
  package let selection: UnitSelection
  package let sharing: SharedPart?

  /// Creates a source from the selected part of a log.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - selection: The part.
  ///   - computation: The computation that the units are for, if it shares passes with others.
  package init(
    _ replay: LogReplay, _ selection: UnitSelection, for computation: SharedComputation? = nil
  ) {
    self.replay = replay
    self.selection = selection
    sharing = computation.map { SharedPart(computation: $0, selection: selection) }
  }

  package var jobs: Int { replay.jobs }

  package var memoryLimit: Int? { replay.memoryLimit }

  /// Reads the log. The events take 32 bytes each until they are no longer used, in memory up to
  /// ``LogReplay/memoryLimit`` and beyond it in a temporary file.
  package func units(_ needs: UnitNeeds) throws -> any BucketedUnits {
    if let sharing { return NoUnits { sharing.computation.context } }
    guard let kept = replay.unitCache, exchange == nil, memoryLimit == nil else {
      return try collect(needs)
    }
    return try kept.units(selection, needs) { try collect($0) }
  }

  private func collect(_ needs: UnitNeeds) throws -> CollectedUnits {
    let known = ArmRegister(exchange?.knownArms ?? []) ?? ArmRegister()
    var units = try replay.collect(
      selection, needs, known: known, knownValues: exchange?.knownValues ?? [])
    if needs.contains(.hashes) { units.context.hashes = try UnitHashes(replay.log) }
    if let end = exchange?.dataEnd { units.context.latest = end }
    return units
  }

  package var exchange: StateExchange? { replay.exchange }
}

/// No units: the states of projectors come from elsewhere.
struct NoUnits: BucketedUnits {
  private let latest: @Sendable () -> UnitContext

  /// Creates units with the context that the closure returns when it is asked for.
  init(_ context: @escaping @Sendable () -> UnitContext) { latest = context }

  var context: UnitContext { latest() }
  var bucketCount: Int { 1 }

  func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws {}
}

extension CollectedUnits: BucketedUnits {
  package func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws {
    try order.forEachUnit(ofBucket: bucket, of: self, body)
  }
}

extension UnitSource {
  /// Returns the results of several projectors over all units, from one pass over the units.
  package func run<each P: UnitProjector>(
    units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    let slots = (repeat UnitSlot(each projectors))
    var list: [any UnitSlotting] = []
    for slot in repeat each slots { list.append(slot) }
    let context = try fill(list) {
      try units(list.reduce(into: []) { $0.formUnion($1.needs) })
    }
    return (repeat (each slots).result(context))
  }

  /// Returns the result of a projector over all units, and the counts of the log whose audit is a state of the same
  /// pass.
  package func run<P: UnitProjector>(
    units projector: P, auditing log: AuditedLog
  ) throws -> (P.Result, AuditedLog.Counts) {
    let slot = UnitSlot(projector)
    let context = try fill([slot, log]) { try units(projector.needs) }
    return (slot.result(context), log.counts)
  }

  /// Returns the result of a projector over units that may be read repeatedly.
  package func show<P: UnitProjector>(_ units: any BucketedUnits, to projector: P) throws -> P.Result {
    let slot = UnitSlot(projector)
    return slot.result(try fill([slot]) { units })
  }

  /// Fills the slots with the states of all units, or with those that are exchanged, and returns the context.
  func fill(
    _ slots: [any UnitSlotting], _ units: () throws -> any BucketedUnits
  ) throws -> UnitContext {
    func compute() throws -> UnitContext {
      let units = try units()
      try show(units, to: slots)
      return units.context
    }
    if let sharing { return try sharing.computation.answer(slots, sharing.selection) }
    return try exchange.map { try $0.pass(slots, compute) } ?? compute()
  }

  /// Applies every projector to every unit. Idle threads take the next bucket; merging is commutative.
  private func show(_ units: any BucketedUnits, to slots: [any UnitSlotting]) throws {
    let budget = GroupBudget(
      limit: memoryLimit, bytesPerGroup: slots.reduce(0) { $0 + $1.bytesPerGroup },
      bytesPerRow: slots.reduce(0) { $0 + $1.bytesPerRow })
    try budget?.admit(arms: units.context.arms.count)
    let buckets = WorkQueue(count: units.bucketCount)
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      let runs = slots.map { $0.makeRun(units.context) }
      var order = UnitOrder(bucketCount: units.bucketCount)
      while let bucket = buckets.next() {
        try units.forEachUnit(ofBucket: bucket, &order) { history, lateness in
          for run in runs { run.apply(history, lateness) }
        }
        if let most = runs.max(by: { $0.groupCount < $1.groupCount }) {
          try budget?.admit(groupsOfThread: most.groupCount, most.groupKind)
        }
      }
      for run in runs { run.finish() }
    }
  }
}
