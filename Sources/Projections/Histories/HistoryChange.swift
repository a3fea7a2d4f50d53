internal import Replay
internal import Threads

/// Adds new events to the histories of their units, by bucket, and passes the units' earlier and complete events to
/// projections.
struct HistoryChange: Sendable {
  /// The new events.
  let units: CollectedUnits
  let context: UnitContext
  /// The table, used by one thread at a time.
  let table: Monitor<HistoryTable>
  /// The number of runs.
  let runs: Int
  /// The run that the new events and all runs from it on are merged into.
  let target: Int
  /// Buckets are processed by any free thread, and written in order, so that the table grows at its end.
  private struct Queue: Sendable {
    var taken = 0
    var written = 0
    var finished: [Int: [HistoryChunk]] = [:]
    var touched = 0
  }

  /// - Returns: The number of units with new events.
  func run(jobs: Int, _ slots: [any ProjectionSlot]) throws -> Int {
    guard units.eventCount > 0 else { return 0 }
    let queue = Monitor(Queue())
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      var worker = Worker(self, slots)
      while true {
        let bucket = queue.withLock { queue in
          defer { queue.taken += 1 }
          return queue.taken
        }
        guard bucket < units.bucketCount else { break }
        do {
          let chunks = try worker.chunks(bucket)
          try queue.withLock { try finish(bucket, chunks, &$0) }
        } catch {
          queue.withLock { $0.taken = units.bucketCount }
          throw error
        }
      }
      worker.runs.forEach { $0.finish() }
      queue.withLock { $0.touched += worker.touched }
    }
    return queue.withLock { $0.touched }
  }

  private func finish(_ bucket: Int, _ chunks: [HistoryChunk], _ queue: inout Queue) throws {
    queue.finished[bucket] = chunks
    while let chunks = queue.finished.removeValue(forKey: queue.written) {
      let bucket = queue.written
      try table.withLock { try $0.replace(target..<max(runs, target + 1), bucket, by: chunks) }
      queue.written += 1
    }
  }

  /// The work of one thread.
  private struct Worker {
    private let change: HistoryChange
    let runs: [any ProjectionRun]
    /// The projections revised only for experiments in which a unit has new events, and those revised for the whole
    /// unit.
    private let divided: [any ProjectionRun]
    private let undivided: [any ProjectionRun]
    private(set) var touched = 0
    private var order: UnitOrder
    private var writer: HistoryWriter
    private var events: [UnitEvent] = []
    private var bytes: [UInt8] = []

    init(_ change: HistoryChange, _ slots: [any ProjectionSlot]) {
      self.change = change
      runs = slots.map { $0.makeRun() }
      divided = zip(slots, runs).filter { $0.0.isDividedByExperiments }.map(\.1)
      undivided = zip(slots, runs).filter { !$0.0.isDividedByExperiments }.map(\.1)
      order = UnitOrder(bucketCount: change.units.bucketCount)
      writer = HistoryWriter(bucketCount: change.units.bucketCount)
    }

    /// Passes a bucket's units to projections, and returns their events as chunks.
    mutating func chunks(_ bucket: Int) throws -> [HistoryChunk] {
      try change.units.read(bucket, into: &events, &bytes)
      let reader = HistoryReader(
        table: change.table, bucket: bucket, bucketCount: change.units.bucketCount,
        arms: change.context.arms)
      guard change.runs > 0 else { return firstChunks() }
      let before = try reader.events(of: newUnits(), runs: 0..<change.runs)
      revise(divided, before.part)
      revise(undivided, before.whole)
      let merged = try reader.events(runs: change.target..<change.runs)
      order.forEachArrival(merged.isEmpty ? events : merged + events) { writer.add($0) }
      return writer.takeChunks()
    }

    /// Adds the units of a database without events.
    private mutating func firstChunks() -> [HistoryChunk] {
      order.forEachArrival(events, arms: change.context.arms) { arrived, history in
        writer.add(arrived)
        guard !history.isEmpty else { return }
        for run in runs { run.add(history) }
      }
      touched += writer.unitCount
      return writer.takeChunks()
    }

    /// Subtracts the earlier contribution of units, and adds the new one.
    private mutating func revise(_ runs: [any ProjectionRun], _ before: [UnitEvent]) {
      guard !runs.isEmpty else { return }
      order.forEachRevision(before, events, arms: change.context.arms) { before, all, isExtended in
        for run in runs { run.revise(before, all, isExtended: isExtended) }
      }
    }

    private mutating func newUnits() -> NewUnits {
      var units = NewUnits()
      order.forEachArrival(events) { units.add($0) }
      touched += units.codes.count
      return units
    }
  }
}
