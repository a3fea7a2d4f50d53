public import Bandits
internal import Statistics
internal import Threads

/// Makes the runs of a plan on several threads.
public struct SimulationRunner: Sendable {
  private let prepared: PreparedPlan
  private let shard: Shard
  private let jobs: Int

  /// Describes what is to be run.
  ///
  /// - Parameters:
  ///   - prepared: The plan.
  ///   - shard: Which part of it.
  ///   - jobs: How many threads work at once; as many as there are processors by default.
  public init(_ prepared: PreparedPlan, shard: Shard = .whole, jobs: Int? = nil) {
    self.prepared = prepared
    self.shard = shard
    self.jobs = max(1, jobs ?? Workers.processorCount)
  }

  /// How many runs there are in this part.
  public var runCount: Int {
    let plan = prepared.plan
    return (0..<plan.runs).count(where: shard.contains) * prepared.simulations.count
  }

  /// Makes those runs that are not there yet.
  ///
  /// - Parameters:
  ///   - store: What is there; the new outcomes are added to it.
  ///   - finish: Called with each new outcome, its pair and its run, by one thread at a time, in no certain order.
  /// - Throws: What `finish` throws; `SpecificationError` when a policy is not for its environment after all. Runs
  ///   under way are ended first.
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

  /// The next run to be made. All pairs of a run come one after the other, so that an end before the end leaves as many
  /// runs of each.
  private func next(_ queue: inout Queue) -> (pair: Int, run: Int)? {
    while !queue.isEnded {
      queue.pair += 1
      if queue.pair == prepared.simulations.count {
        queue.pair = 0
        queue.run += 1
      }
      guard queue.run < prepared.plan.runs else { return nil }
      if shard.contains(queue.run), queue.store[queue.pair, queue.run] == nil {
        return (queue.pair, queue.run)
      }
    }
    return nil
  }
}
