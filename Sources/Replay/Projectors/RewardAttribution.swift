internal import Statistics

/// Credits the goals of one unit after the other.
struct RewardAttribution {
  /// The decision that gets the next goals of its point and slot.
  private struct Open {
    var arm: Int
    private var first = 0.0
    private var others: [Double] = []
    private(set) var goals = 0

    init(arm: Int) {
      self.arm = arm
    }

    mutating func credit(_ value: Double) {
      if goals == 0 { first = value } else { others.append(value) }
      goals += 1
    }

    /// The exact sum of the goals, rounded once.
    var sum: Double {
      switch others.count {
      case 0: first
      case 1: first + others[0]
      default: ExactSum([first] + others).value
      }
    }
  }

  /// Provisional decisions of a point and slot that nothing has confirmed yet.
  private struct Held {
    var point: UInt32
    var slot: UInt32
    var arms: [Int]
  }

  private let arms: [Arm]
  private var rewards: [RewardTally]
  private var ledger: RewardLedger
  private var open: [Open] = []
  private var held: [Held] = []
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
      case .provisional: hold(Int(entry.payload))
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

  /// A provisional decision waits for its confirmation.
  private mutating func hold(_ arm: Int) {
    let (point, slot) = (arms[arm].point, arms[arm].slot)
    if let index = held.firstIndex(where: { $0.point == point && $0.slot == slot }) {
      held[index].arms.append(arm)
    } else {
      held.append(Held(point: point, slot: slot, arms: [arm]))
    }
  }

  /// The provisional decisions of the place count from here on.
  private mutating func confirm(_ place: Arm) {
    for index in held.indices where held[index].point == place.point {
      guard place.slot == ArmRegister.everySlot || held[index].slot == place.slot else { continue }
      for arm in held[index].arms { begin(arm) }
      held[index].arms.removeAll()
    }
  }

  private mutating func credit(_ value: Double) {
    guard !open.isEmpty else {
      ledger.orphanGoals += 1
      return
    }
    ledger.creditedGoals += 1
    for index in open.indices {
      open[index].credit(value)
      rewards[open[index].arm].total.add(value)
    }
  }

  /// No later goal can be credited to the decision.
  private mutating func end(_ decision: Open) {
    rewards[decision.arm].rewards += decision.goals
    let sum = decision.sum
    rewards[decision.arm].perDecision.add(sum)
    if let index = unitSums.firstIndex(where: { $0.arm == decision.arm }) {
      unitSums[index].sum.add(sum)
    } else {
      unitSums.append((decision.arm, ExactSum(CollectionOfOne(sum))))
    }
  }

  private mutating func endExperiment() {
    for decision in open { end(decision) }
    open.removeAll(keepingCapacity: true)
    for place in held { ledger.unconfirmedDecisions += place.arms.count }
    held.removeAll(keepingCapacity: true)
  }
}
