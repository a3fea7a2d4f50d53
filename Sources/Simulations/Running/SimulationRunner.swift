public import Bandits
internal import Platform
internal import Threads

/// Runs a plan on several threads.
public struct SimulationRunner: Sendable {
  private let prepared: PreparedPlan
  private let shard: Shard
  private let jobs: Int

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - prepared: The plan.
  ///   - shard: The part of the plan to run.
  ///   - jobs: The number of threads; the number of processors by default.
  public init(_ prepared: PreparedPlan, shard: Shard = .whole, jobs: Int? = nil) {
    self.prepared = prepared
    self.shard = shard
    self.jobs = max(1, jobs ?? SystemLimits.processorCount)
  }

  /// The number of runs in this part.
  public var runCount: Int {
    shard.runCount(of: prepared.plan.runs * prepared.simulations.count)
  }

  /// Makes the missing runs.
  ///
  /// - Parameters:
  ///   - store: The available outcomes, to which new ones are added.
  ///   - finish: Called with each new outcome, its pair and its run, by one thread at a time, in unspecified order.
  /// - Throws: Errors of `finish`; `SpecificationError` if a policy does not support its environment after all. Runs
  ///   in progress are finished first.
  public func run(
    _ store: inout OutcomeStore,
    finish: @Sendable (RunOutcome, _ pair: Int, _ run: Int) throws -> Void = { _, _, _ in }
  ) throws {
    let start = store
    let queue = Monitor(Queue(store: start))
    _ = try Workers.run(jobs) { _ in
      while let (pair, run) = queue.withLock({ next(&$0) }) {
        do {
          let outcome = try prepared.simulations[pair].run(UInt64(run))
          try queue.withLock { queue in
            queue.store.add(outcome, pair: pair, run: run)
            try finish(outcome, pair, run)
          }
        } catch {
          queue.withLock { $0.isEnded = true }
          throw error
        }
      }
    }
    store = queue.withLock { $0.store }
  }

  private struct Queue: Sendable {
    var store: OutcomeStore
    var run = 0
    var pair = -1
    var isEnded = false
  }

  /// Returns the next run to make. All pairs of a run come one after the other, so that an interrupted simulation has
  /// the same number of runs of each.
  private func next(_ queue: inout Queue) -> (pair: Int, run: Int)? {
    while !queue.isEnded {
      queue.pair += 1
      if queue.pair == prepared.simulations.count {
        queue.pair = 0
        queue.run += 1
      }
      guard queue.run < prepared.plan.runs else { return nil }
      let isOwn = shard.contains(
        pair: queue.pair, run: queue.run, of: prepared.simulations.count)
      if isOwn, queue.store[queue.pair, queue.run] == nil {
        return (queue.pair, queue.run)
      }
    }
    return nil
  }
}
