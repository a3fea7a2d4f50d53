internal import Specifications
internal import Statistics

/// The last pass over a log for its regret: the choices and rewards before, between and after the ranges of a plan;
/// decisions in the ranges are kept one by one.
struct RegretWalk: UngroupedProjector {
  /// A decision that is kept.
  struct Kept: StateValue {
    var key: DecisionOrder.Key
    var arm: UInt32
    /// Numbers whose sum is exactly the credited reward.
    var reward: [Double]

    init(key: DecisionOrder.Key, arm: UInt32, reward: [Double]) {
      (self.key, self.arm, self.reward) = (key, arm, reward)
    }

    init(from reader: inout StateReader) throws(StateError) {
      let moment = try reader.readWide()
      key = DecisionOrder.Key(
        moment: moment, index: UInt32(try reader.readCount(below: 1 << 32)))
      arm = try reader.readCode(.arms)
      reward = []
      for _ in 0..<(try reader.readCount(below: 1 << 16)) { reward.append(try reader.readDouble()) }
    }

    func write(to writer: inout StateWriter) {
      writer.write(wide: key.moment)
      writer.write(UInt64(key.index))
      writer.write(UInt64(arm))
      writer.write(UInt64(reward.count))
      for number in reward { writer.write(number) }
    }

    static func == (a: Kept, b: Kept) -> Bool { a.key == b.key }

    static func < (a: Kept, b: Kept) -> Bool { a.key < b.key }
  }

  /// The rewards and decisions of a place.
  struct Place: StateFields {
    /// The rewards of decisions that are in no range, by the number of ranges before them; empty until there is one.
    var rewards: [ExactSum] = []
    var kept: [Kept] = []

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit.list(&rewards, other.rewards, ExactSum())
      visit.values(&kept, other.kept)
    }
  }

  /// The decisions of a segment that are in no range, by the number of ranges before them; empty until there is one.
  struct GapCounts: StateFields {
    var counts: [Int] = []

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit.list(&counts, other.counts, 0)
    }

    var isOmitted: Bool { counts.isEmpty }
  }

  /// The places are those of the plan, which all parts of a computation have in common.
  struct State: StateFields {
    var units: RewardedUnits
    /// By place of the plan.
    var places: [Place]
    /// By arm and value of the dimension.
    var counts = SegmentTable(GapCounts())
    let order: DecisionOrder
    /// By place, the number of gaps before, between and after its ranges.
    let gaps: [Int]

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&places, other.places)
      visit(&counts, other.counts)
    }

    func validate() throws(StateError) {
      let most = gaps.max() ?? 0
      guard zip(places, gaps).allSatisfy({ [0, $1].contains($0.rewards.count) }),
        counts.tallies.allSatisfy({ $0.counts.count <= most })
      else { throw StateError("a curve has another length") }
    }
  }

  let rules: RegretRules
  let plan: RegretPlan

  var needs: UnitNeeds { rules.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, rules.attribution),
      places: Array(repeating: Place(), count: plan.places.count), order: DecisionOrder(context),
      gaps: plan.places.map { $0.ranges.count + 1 })
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for index in state.units.decisions.indices {
      let decision = state.units.decisions[index]
      let (arm, value) = state.units.table.segment(at: decision.segment)
      guard let place = plan.find(state.units.place(of: arm), value) else { continue }
      let key = state.order.key(history[decision.index], decision.index)
      let (gap, isInRange) = plan.places[place].find(key.moment)
      if isInRange {
        var reward = ExactSum()
        state.units.add(decision, to: &reward)
        state.places[place].kept.append(Kept(key: key, arm: arm, reward: reward.expansion))
        continue
      }
      let gaps = plan.places[place].ranges.count + 1
      if state.places[place].rewards.isEmpty {
        state.places[place].rewards = Array(repeating: ExactSum(), count: gaps)
      }
      state.units.add(decision, to: &state.places[place].rewards[gap])
      let segment = state.counts.place(of: arm, value)
      if state.counts.tallies[segment].counts.isEmpty {
        state.counts.tallies[segment].counts = Array(repeating: 0, count: gaps)
      }
      state.counts.tallies[segment].counts[gap] += 1
    }
  }

  func result(of state: State, _ context: UnitContext) -> State { state }
}

extension RegretWalk.State {
  /// Returns the rows of a place, without their regret.
  ///
  /// - Parameters:
  ///   - index: The place in the plan.
  ///   - plan: The plan that the walk followed.
  ///   - arms: The arms of the place; the counts of each row are in this order.
  ///   - value: The value of the dimension.
  /// - Returns: A row after each number of decisions that the plan names.
  func rows(
    _ index: Int, of plan: RegretPlan, arms: [UInt32], _ value: UInt32
  ) -> [RegretRow] {
    let place = plan.places[index]
    let kept = places[index].kept.sorted { $0.key < $1.key }
    let gaps = arms.map { counts.find($0, value)?.counts ?? [] }
    let numbers = Dictionary(
      arms.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var row = RegretRow(decisions: 0, counts: arms.map { _ in 0 })
    var rewards = ExactSum()
    var rows: [RegretRow] = []
    var (next, checkpoint) = (0, 0)
    for gap in 0...place.ranges.count {
      for (number, counts) in gaps.enumerated() where !counts.isEmpty {
        row.counts[number] += counts[gap]
        row.decisions += counts[gap]
      }
      if !places[index].rewards.isEmpty { rewards.merge(places[index].rewards[gap]) }
      while gap < place.ranges.count, next < kept.count,
        place.ranges[gap].contains(kept[next].key.moment)
      {
        if let number = numbers[kept[next].arm] { row.counts[number] += 1 }
        row.decisions += 1
        for number in kept[next].reward { rewards.add(number) }
        next += 1
        if checkpoint < place.checkpoints.count, place.checkpoints[checkpoint] == row.decisions {
          row.rewardSum = rewards.value
          rows.append(row)
          checkpoint += 1
        }
      }
    }
    if rows.last?.decisions != row.decisions {
      row.rewardSum = rewards.value
      rows.append(row)
    }
    return rows
  }
}
