package import EventLog
internal import Threads

/// Where units come from: a log that is replayed, or whatever else keeps the events of its units.
package protocol UnitSource: Sendable {
  /// How many threads show units at once, at least 1.
  var jobs: Int { get }

  /// Memory in bytes that a replay may take; nil for no limit.
  var memoryLimit: Int? { get }

  /// All units, with those of their events that are needed.
  func units(_ needs: UnitNeeds) throws -> any BucketedUnits

  /// A hash of the name of every unit.
  func unitHashes() throws -> UnitHashes
}

/// Units in buckets, each of which can be shown as often as it takes.
package protocol BucketedUnits: Sendable {
  /// What is known before the first unit.
  var context: UnitContext { get }

  /// A power of two. A unit is in the bucket that the lowest bits of its code say.
  var bucketCount: Int { get }

  /// Calls the closure with the history of each unit of a bucket that has one, by ascending codes, and with how far an
  /// event of it is late at most.
  ///
  /// - Parameters:
  ///   - bucket: The bucket.
  ///   - order: What puts events in order, made for as many buckets; one thread's own.
  ///   - body: Takes a history.
  /// - Throws: What keeps the events from being read, and what the closure throws.
  func forEachUnit(
    ofBucket bucket: Int, _ order: inout UnitOrder,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws
}

/// What is selected of a log, as a source of units.
package struct LogUnits: UnitSource {
  let replay: Replay
  let selection: UnitSelection

  /// What is selected of a log that is replayed.
  package init(_ replay: Replay, _ selection: UnitSelection) {
    self.replay = replay
    self.selection = selection
  }

  package var jobs: Int { replay.jobs }

  package var memoryLimit: Int? { replay.memoryLimit }

  /// Reads the log. The events take 32 bytes each until they are no longer used, in memory up to
  /// ``Replay/memoryLimit`` and beyond it in a temporary file.
  package func units(_ needs: UnitNeeds) throws -> any BucketedUnits {
    try replay.collect(selection, needs)
  }

  package func unitHashes() throws -> UnitHashes { try UnitHashes(replay.log) }
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
  /// What each of the projectors computes from all units, each of which is shown once.
  package func run<each P: UnitProjector>(
    units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    let slots = (repeat UnitSlot(each projectors))
    var list: [any UnitSlotting] = []
    for slot in repeat each slots { list.append(slot) }
    let units = try units(list.reduce(into: []) { $0.formUnion($1.needs) })
    try show(units, to: list)
    return (repeat (each slots).result(units.context))
  }

  /// What a projector computes from units: they can be shown as often as it takes.
  func show<P: UnitProjector>(_ units: any BucketedUnits, to projector: P) throws -> P.Result {
    let slot = UnitSlot(projector)
    try show(units, to: [slot])
    return slot.result(units.context)
  }

  /// Shows every unit to every projector. Buckets are taken by whoever is free: merging is free of order.
  private func show(_ units: any BucketedUnits, to slots: [any UnitSlotting]) throws {
    let budget = GroupBudget(
      limit: memoryLimit, bytesPerGroup: slots.reduce(0) { $0 + $1.bytesPerGroup },
      bytesPerRow: slots.reduce(0) { $0 + $1.bytesPerRow })
    try budget?.admit(arms: units.context.arms.count)
    let nextBucket = Monitor(0)
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      let runs = slots.map { $0.makeRun(units.context) }
      var order = UnitOrder(bucketCount: units.bucketCount)
      while true {
        let bucket = nextBucket.withLock { next in
          defer { next += 1 }
          return next
        }
        guard bucket < units.bucketCount else { break }
        try units.forEachUnit(ofBucket: bucket, &order) { history, lateness in
          for run in runs { run.apply(history, lateness) }
        }
        try budget?.admit(groupsOfThread: runs.reduce(0) { max($0, $1.groupCount) })
      }
      for run in runs { run.finish() }
    }
  }
}
