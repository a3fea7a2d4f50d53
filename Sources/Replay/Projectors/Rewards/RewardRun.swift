internal import Statistics

/// Credits the goals of one unit after the other; what it holds between two units is memory that is used again.
struct RewardRun: Sendable {
  /// The decision that gets the next goals of its place.
  private struct Open {
    var place: UInt32
    var experiment: UInt32
    /// Of the table.
    var segment: Int
    var time: Int64
    /// Where the decision stands in the history.
    var index: Int
    var reward = GoalSum()
  }

  /// A counted decision of the unit, and what was credited to it.
  struct Rewarded: Sendable {
    /// Where it stands in the history.
    var index: Int
    /// Of the table.
    var segment: Int
    var reward: GoalSum
  }

  /// By arm: which place it belongs to, the same number for the same experiment, point and slot.
  let places: [UInt32]
  private let keepsDecisions: Bool
  /// The counted decisions of the unit that was taken last, in no order that means anything; none unless they are kept.
  private(set) var rewarded: [Rewarded] = []
  private var open: [Open] = []
  /// By place: where its open decision was the last time. It is there still if that is a decision of the place.
  private var lastOpen: [Int32] = []
  /// The rewards of the unit so far, by segment of the table.
  private var units: [(segment: Int, sum: GoalSum)] = []
  /// By segment of the table: where its reward was among them the last time.
  private var lastUnits: [Int32] = []
  /// How often each goal counted for the unit at a place.
  private var counted: [(goal: UInt32, place: UInt32, count: Int)] = []
  private var sums = GoalSums()
  private var value: UInt32 = 0

  init(_ arms: [Arm], keepingDecisions keepsDecisions: Bool = false) {
    self.keepsDecisions = keepsDecisions
    places = ArmRegister.places(of: arms)
    lastOpen = Array(repeating: 0, count: Int(places.max() ?? 0) + 1)
  }

  /// What was credited to a decision of the unit that was taken last, rounded once.
  func reward(of decision: Rewarded) -> Double { sums.value(of: decision.reward) }

  /// Adds what was credited to a decision of the unit that was taken last, number by number and none of them rounded.
  func add(_ decision: Rewarded, to sum: inout ExactSum) {
    sums.add(decision.reward, to: &sum)
  }

  /// Credits the goals of a unit: where no more than the latest decision of a place can be credited, only that one is
  /// kept at hand; otherwise all of them.
  mutating func take(
    _ history: Span<UnitEvent>, _ attribution: Attribution,
    _ table: inout SegmentTable<RewardTally>,
    _ ledger: inout RewardLedger
  ) {
    let isStreamable = attribution.isStreamable
    value = 0
    rewarded.removeAll(keepingCapacity: true)
    sums.removeAll()
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .decision:
        guard attribution.counts(decisionAt: event.time, &ledger) else { continue }
        let decision = Open(
          place: places[Int(event.subject)], experiment: event.experiment,
          segment: table.place(of: event.subject, value), time: event.time, index: index)
        if isStreamable { replace(decision, &table) } else { open.append(decision) }
      case .goal:
        if isStreamable {
          credit(event, attribution, &table, &ledger)
        } else {
          share(event, attribution, &table, &ledger)
        }
      case .dimension: value = event.subject
      default: ledger.count(event.kind)
      }
    }
    for decision in open { end(decision, &table) }
    open.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
    endUnit(&table)
  }

  // MARK: The latest decision gets it

  /// A decision takes the place of the one before it.
  private mutating func replace(_ decision: Open, _ table: inout SegmentTable<RewardTally>) {
    let place = decision.place
    let before = Int(lastOpen[Int(place)])
    if before < open.count, open[before].place == place {
      end(open[before], &table)
      open[before] = decision
    } else {
      lastOpen[Int(place)] = Int32(truncatingIfNeeded: open.count)
      open.append(decision)
    }
  }

  private mutating func credit(
    _ event: UnitEvent, _ attribution: Attribution, _ table: inout SegmentTable<RewardTally>,
    _ ledger: inout RewardLedger
  ) {
    var hasDecision = false
    var isCredited = false
    for index in open.indices where open[index].experiment == event.experiment {
      hasDecision = true
      guard attribution.admits(event, since: open[index].time) else { continue }
      isCredited = true
      sums.add(event.number, to: &open[index].reward)
      table.tallies[open[index].segment].total.add(event.number)
    }
    ledger.countGoal(hasDecision: hasDecision, isCredited: isCredited)
  }

  /// No later goal can be credited to the decision.
  private mutating func end(_ decision: Open, _ table: inout SegmentTable<RewardTally>) {
    table.tallies[decision.segment].rewards += Int(decision.reward.count)
    add(sums.value(of: decision.reward), to: decision.segment, &table)
    guard keepsDecisions else { return }
    rewarded.append(
      Rewarded(index: decision.index, segment: decision.segment, reward: decision.reward))
  }

  private mutating func add(
    _ reward: Double, to segment: Int, _ table: inout SegmentTable<RewardTally>
  ) {
    table.tallies[segment].perDecision.add(reward)
    let more = segment + 1 - lastUnits.count
    if more > 0 { lastUnits.append(contentsOf: repeatElement(0, count: more)) }
    let index = Int(lastUnits[segment])
    if index < units.count, units[index].segment == segment {
      sums.add(reward, to: &units[index].sum)
    } else {
      var sum = GoalSum()
      sums.add(reward, to: &sum)
      lastUnits[segment] = Int32(truncatingIfNeeded: units.count)
      units.append((segment, sum))
    }
  }

  private mutating func endUnit(_ table: inout SegmentTable<RewardTally>) {
    for (segment, sum) in units { table.tallies[segment].perUnit.add(sums.value(of: sum)) }
    units.removeAll(keepingCapacity: true)
  }

  // MARK: Any attribution

  /// Credits a goal to those of all decisions before it that the rule names.
  private mutating func share(
    _ event: UnitEvent, _ attribution: Attribution, _ table: inout SegmentTable<RewardTally>,
    _ ledger: inout RewardLedger
  ) {
    let candidates = open.indices.filter { open[$0].experiment == event.experiment }
    var isCredited = false
    for place in distinctPlaces(candidates) {
      let admitted = candidates.filter {
        open[$0].place == place && attribution.admits(event, since: open[$0].time)
      }
      guard let first = admitted.first, let last = admitted.last,
        isWithinLimit(event.subject, place, attribution)
      else { continue }
      isCredited = true
      let credited =
        switch attribution.rule {
        case .last: [last]
        case .first: [first]
        case .all, .linear: admitted
        }
      let part = attribution.rule == .linear ? Double(credited.count) : 1
      for index in credited {
        sums.add(event.number / part, to: &open[index].reward)
        table.tallies[open[index].segment].total.add(event.number / part)
      }
    }
    ledger.countGoal(hasDecision: !candidates.isEmpty, isCredited: isCredited)
  }

  /// The places of some decisions, each once, in the order of their first decision.
  private func distinctPlaces(_ candidates: [Int]) -> [UInt32] {
    var found: [UInt32] = []
    for index in candidates where !found.contains(open[index].place) {
      found.append(open[index].place)
    }
    return found
  }

  /// Whether the goal may count once more for the unit at the place; it is counted.
  private mutating func isWithinLimit(
    _ goal: UInt32, _ place: UInt32, _ attribution: Attribution
  ) -> Bool {
    guard let most = attribution.mostGoals else { return true }
    if let index = counted.firstIndex(where: { $0.goal == goal && $0.place == place }) {
      counted[index].count += 1
      return counted[index].count <= most
    }
    counted.append((goal, place, 1))
    return most >= 1
  }
}
