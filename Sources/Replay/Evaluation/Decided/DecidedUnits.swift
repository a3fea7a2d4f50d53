internal import Specifications
internal import Threads

/// The decisions that an evaluation uses, by unit, with the goals credited to them: the units of a log whose events are
/// no longer needed, which projectors can visit repeatedly.
///
/// Memory: 16 bytes for a unit with a single decision, and 56 for each decision of others.
package struct DecidedUnits: Sendable {
  /// The counts of crediting goals.
  package struct Ledgers: StateFields, Equatable {
    /// The decisions that are used and left out.
    package var ledger = EvaluationLedger()
    /// The counts of credited and lost goals.
    package var rewards = RewardLedger()

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&ledger, other.ledger)
      visit(&rewards, other.rewards)
    }

    /// Adds the units that have a single decision.
    fileprivate mutating func add(_ singleUnits: SingleSummary) {
      ledger.decisions += singleUnits.decisions
      ledger.units += singleUnits.decisions
      rewards.confirmedDecisions += singleUnits.decisions
      rewards.creditedGoals += singleUnits.creditedGoals
      rewards.uncreditedGoals += singleUnits.uncreditedGoals
      rewards.goals.merge(singleUnits.goals)
    }
  }

  /// Some units with several decisions, or with events that take more than adding up.
  private struct Bucket: Sendable {
    /// The number of rows beyond which no unit is added.
    static let size = 1 << 12

    var rows: [CreditedDecision] = []
    /// The code of each unit that has rows, and the end of these.
    var units: [(unit: UInt32, end: Int)] = []
  }

  /// The context of the units.
  let context: UnitContext
  /// The counts.
  package let ledgers: Ledgers
  /// The sums of units with a single decision.
  package let summary: SingleSummary
  private let buckets: [Bucket]
  private let singleUnits: SingleUnits?

  /// Credits the goals of collected units to their decisions.
  ///
  /// - Parameters:
  ///   - units: The units. If some are kept apart, their goals are credited already.
  ///   - attribution: How goals are credited.
  ///   - jobs: The number of threads.
  /// - Throws: `LogError` if events cannot be read.
  init(_ units: CollectedUnits, _ attribution: Attribution, jobs: Int) throws {
    context = units.context
    singleUnits = units.singleUnits
    let queue = WorkQueue(count: units.bucketCount)
    let parts = try Workers.run(min(jobs, units.bucketCount)) { _ in
      var rows = EvaluationRows(units.context, attribution)
      var order = UnitOrder(bucketCount: units.bucketCount)
      var filled: [Bucket] = []
      while let bucket = queue.next() {
        try Self.decide(bucket, of: units, &order, &rows, into: &filled)
      }
      return (filled, Ledgers(ledger: rows.ledger, rewards: rows.rewardLedger))
    }
    var ledgers = Ledgers()
    var buckets: [Bucket] = []
    for (filled, own) in parts {
      ledgers.merge(own)
      // The order of units does not matter.
      buckets += filled
    }
    summary = units.singleUnits?.summary ?? SingleSummary()
    ledgers.add(summary)
    (self.buckets, self.ledgers) = (buckets, ledgers)
  }

  private static func decide(
    _ bucket: Int, of units: CollectedUnits, _ order: inout UnitOrder, _ rows: inout EvaluationRows,
    into buckets: inout [Bucket]
  ) throws {
    try units.forEachUnit(ofBucket: bucket, &order) { history, _ in
      rows.take(history, units.context.situations)
      guard !rows.rows.isEmpty else { return }
      if buckets.last.map({ $0.rows.count >= Bucket.size }) ?? true { buckets.append(Bucket()) }
      let last = buckets.count - 1
      buckets[last].rows += rows.rows
      buckets[last].units.append((history[0].unit, buckets[last].rows.count))
    }
  }

  /// Fills slots in one pass over the units.
  ///
  /// - Throws: Nothing but what threads throw.
  func fill(_ slots: [any DecisionSlotting], jobs: Int) throws {
    let count = buckets.count + (singleUnits?.rangeCount ?? 0)
    let queue = WorkQueue(count: count)
    let distinguishesUnits = slots.contains(where: \.distinguishesUnits)
    let threads = max(1, min(jobs, count))
    let counted = try Workers.run(threads) { _ in
      let runs = slots.map { $0.makeDecisionRun(context) }
      var counts = distinguishesUnits ? nil : singleUnits.flatMap { SingleCounts($0) }
      while let index = queue.next() {
        if index < buckets.count {
          Self.show(buckets[index], to: runs)
        } else if let singleUnits {
          Self.show(index - buckets.count, of: singleUnits, &counts, to: runs)
        }
      }
      counts?.empty { single in for run in runs { run.apply(single) } }
      let counted = counts?.counted ?? []
      if threads == 1, !distinguishesUnits { showOthers([counted], to: runs) }
      for run in runs { run.finish() }
      return counted
    }
    guard threads > 1, !distinguishesUnits else { return }
    let runs = slots.map { $0.makeDecisionRun(context) }
    showOthers(counted, to: runs)
    for run in runs { run.finish() }
  }

  /// Shows the units with a single decision that were not counted, because they have no reward.
  private func showOthers(_ counted: [[Int]], to runs: [any DecisionRunning]) {
    guard let singleUnits, let alike = singleUnits.alike else { return }
    for (kind, row) in alike.enumerated() {
      let rest = counted.reduce(singleUnits.totals[kind]) { $0 - $1[kind] }
      guard rest > 0 else { continue }
      for run in runs { run.apply(SingleUnit(row: row, times: rest, unit: 0)) }
    }
  }

  private static func show(_ bucket: Bucket, to runs: [any DecisionRunning]) {
    var (start, rows) = (0, [CreditedDecision]())
    for (unit, end) in bucket.units {
      rows.removeAll(keepingCapacity: true)
      rows += bucket.rows[start..<end]
      for run in runs { run.apply(rows, of: unit) }
      start = end
    }
  }

  private static func show(
    _ range: Int, of singleUnits: SingleUnits, _ counts: inout SingleCounts?,
    to runs: [any DecisionRunning]
  ) {
    if counts == nil {
      singleUnits.forEach(range) { row, unit in
        for run in runs { run.apply(SingleUnit(row: row, unit: unit)) }
      }
    } else {
      singleUnits.forEachRewarded(range) { kind, reward in
        counts?.add(kind, reward) { single in
          for run in runs { run.apply(single) }
        }
      }
    }
  }
}
