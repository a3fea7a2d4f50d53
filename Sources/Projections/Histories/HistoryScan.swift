internal import Replay
internal import Threads

/// Passes all units of the histories to projections.
struct HistoryScan: Sendable {
  let units: HistoryUnits

  func run(jobs: Int, _ slots: [any ProjectionSlot]) throws {
    guard !slots.isEmpty else { return }
    let buckets = WorkQueue(count: units.bucketCount)
    _ = try Workers.run(min(jobs, units.bucketCount)) { _ in
      let runs = slots.map { $0.makeRun() }
      var order = UnitOrder(bucketCount: units.bucketCount)
      while let bucket = buckets.next() {
        try units.forEachUnit(ofBucket: bucket, &order) { history, _ in
          for run in runs { run.add(history) }
        }
      }
      runs.forEach { $0.finish() }
    }
  }
}
