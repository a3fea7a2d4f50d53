internal import Statistics

/// Credits the goals of one unit after the other.
struct RewardAttribution {
  /// The decision that gets the next goals of its point and slot.
  private struct Open {
    var arm: Int
    var sum: Double = 0
    var goals = 0
  }

  private let arms: [Arm]
  private var rewards: [RewardTally]
  private var ledger: RewardLedger
  private var open: [Open] = []
  private var provisional: [Int] = []
  private var unitSums: [(arm: Int, sum: ExactSum)] = []

  init(arms: [Arm], ledger: RewardLedger) {
    self.arms = arms
    self.ledger = ledger
    rewards = Array(repeating: RewardTally(), count: arms.count)
  }

  /// The rewards of every arm with a counted decision.
  var tallies: RewardTallies {
    var result = RewardTallies(ledger: ledger)
    for (arm, tally) in zip(arms, rewards) where tally.decisions > 0 { result.arms[arm] = tally }
    return result
  }

  /// Takes all entries of a unit, in the order of the log.
  mutating func credit(_ entries: [RewardEntry]) {
    guard !entries.isEmpty else { return }
    unitSums.removeAll(keepingCapacity: true)
    var current: UInt32?
    for entry in Self.ordered(entries) {
      if entry.experiment != current {
        endExperiment()
        current = entry.experiment
      }
      switch entry.kind {
      case .decision: begin(Int(entry.payload))
      case .provisional: provisional.append(Int(entry.payload))
      case .confirmation: confirm(arms[Int(entry.payload)])
      case .goal: credit(Double(bitPattern: entry.payload))
      }
    }
    endExperiment()
    for (arm, sum) in unitSums { rewards[arm].perUnit.add(sum.value) }
  }

  /// By experiment, then by time; entries of the same time stay in the order of the log.
  private static func ordered(_ entries: [RewardEntry]) -> [RewardEntry] {
    let isOrdered = zip(entries, entries.dropFirst()).allSatisfy { !precedes($1, $0) }
    guard !isOrdered else { return entries }
    return entries.enumerated().sorted {
      precedes($0.element, $1.element)
        || (!precedes($1.element, $0.element) && $0.offset < $1.offset)
    }.map(\.element)
  }

  private static func precedes(_ a: RewardEntry, _ b: RewardEntry) -> Bool {
    (a.experiment, a.time) < (b.experiment, b.time)
  }

  private func isSamePlace(_ a: Int, _ b: Int) -> Bool {
    arms[a].point == arms[b].point && arms[a].slot == arms[b].slot
  }

  /// A decision takes the place of the one before it at its point and slot.
  private mutating func begin(_ arm: Int) {
    ledger.confirmedDecisions += 1
    if let index = open.firstIndex(where: { isSamePlace($0.arm, arm) }) {
      end(open[index])
      open[index] = Open(arm: arm)
    } else {
      open.append(Open(arm: arm))
    }
  }

  /// The provisional decisions of the place count from here on.
  private mutating func confirm(_ place: Arm) {
    let held = provisional
    provisional.removeAll(keepingCapacity: true)
    for arm in held {
      if arms[arm].point == place.point,
        place.slot == ArmRegister.everySlot || arms[arm].slot == place.slot
      {
        begin(arm)
      } else {
        provisional.append(arm)
      }
    }
  }

  private mutating func credit(_ value: Double) {
    guard !open.isEmpty else {
      ledger.orphanGoals += 1
      return
    }
    ledger.creditedGoals += 1
    for index in open.indices {
      open[index].sum += value
      open[index].goals += 1
    }
  }

  /// No later goal can be credited to the decision.
  private mutating func end(_ decision: Open) {
    rewards[decision.arm].rewards += decision.goals
    rewards[decision.arm].perDecision.add(decision.sum)
    if let index = unitSums.firstIndex(where: { $0.arm == decision.arm }) {
      unitSums[index].sum.add(decision.sum)
    } else {
      unitSums.append((decision.arm, ExactSum(CollectionOfOne(decision.sum))))
    }
  }

  private mutating func endExperiment() {
    for decision in open { end(decision) }
    open.removeAll(keepingCapacity: true)
    ledger.unconfirmedDecisions += provisional.count
    provisional.removeAll(keepingCapacity: true)
  }
}
