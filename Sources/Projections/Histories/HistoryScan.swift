internal import Replay
internal import Threads

/// Shows projections all units that the histories have.
struct HistoryScan: Sendable {
  let context: UnitContext
  let table: Monitor<HistoryTable>
  let runs: Int
  let bucketCount: Int

  func run(jobs: Int, _ slots: [any ProjectionSlot]) throws {
    guard !slots.isEmpty else { return }
    let next = Monitor(0)
    _ = try Workers.run(min(jobs, bucketCount)) { _ in
      let runs = slots.map { $0.makeRun() }
      var order = UnitOrder(bucketCount: bucketCount)
      while true {
        let bucket = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard bucket < bucketCount else { break }
        let reader = HistoryReader(
          table: table, bucket: bucket, bucketCount: bucketCount, arms: context.arms)
        order.forEachUnit(try reader.events(runs: 0..<self.runs), arms: context.arms) {
          history, _ in
          for run in runs { run.add(history) }
        }
      }
      runs.forEach { $0.finish() }
    }
  }
}
