internal import Statistics

/// The last pass over a log for its regret: the choices and rewards before, between and after the ranges of a plan;
/// decisions in the ranges are kept one by one.
struct RegretWalk: UnitProjector {
  /// A decision that is kept.
  struct Kept: Sendable {
    var key: DecisionOrder.Key
    var arm: UInt32
    /// Numbers whose sum is exactly the credited reward.
    var reward: [Double]
  }

  /// The rewards and decisions of a place.
  struct Place: Sendable {
    /// The rewards of decisions that are in no range, by the number of ranges before them; empty until there is one.
    var rewards: [ExactSum] = []
    var kept: [Kept] = []
  }

  struct State: Sendable {
    var units: RewardedUnits
    /// By place of the plan.
    var places: [Place]
    /// By arm and value of the dimension: the number of decisions in no range, by the number of ranges before them.
    var counts = SegmentTable<[Int]>([])
    let order: DecisionOrder
  }

  let rules: RegretRules
  let plan: RegretPlan

  var needs: UnitNeeds { rules.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, rules.attribution),
      places: Array(repeating: Place(), count: plan.places.count), order: DecisionOrder(context))
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
      if state.counts.tallies[segment].isEmpty {
        state.counts.tallies[segment] = Array(repeating: 0, count: gaps)
      }
      state.counts.tallies[segment][gap] += 1
    }
  }

  func merge(_ other: State, into state: inout State) {
    for index in state.places.indices {
      state.places[index].kept += other.places[index].kept
      let rewards = other.places[index].rewards
      if state.places[index].rewards.isEmpty {
        state.places[index].rewards = rewards
      } else {
        for (gap, sum) in rewards.enumerated() { state.places[index].rewards[gap].merge(sum) }
      }
    }
    state.counts.merge(other.counts) { theirs, mine in
      if mine.isEmpty {
        mine = theirs
      } else {
        for gap in theirs.indices { mine[gap] += theirs[gap] }
      }
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
    let gaps = arms.map { counts.find($0, value) ?? [] }
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
