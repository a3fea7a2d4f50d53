internal import Replay
internal import Threads

/// Passes all units of the histories to projections.
struct HistoryScan: Sendable {
  let units: HistoryUnits

  func run(jobs: Int, _ slots: [any ProjectionSlot]) throws {
    guard !slots.isEmpty else { return }
    let next = Monitor(0)
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      let runs = slots.map { $0.makeRun() }
      var order = UnitOrder(bucketCount: units.bucketCount)
      while true {
        let bucket = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard bucket < units.bucketCount else { break }
        try units.forEachUnit(ofBucket: bucket, &order) { history, _ in
          for run in runs { run.add(history) }
        }
      }
      runs.forEach { $0.finish() }
    }
  }
}
