internal import EventLog
internal import Statistics

/// The first look at a log for its regret: the rewards of every variant, what their means are made of, and how many decisions
/// of each place fall into which ranges of their order.
struct RegretSurvey: UnitProjector {
  /// What has been seen.
  struct State: Sendable {
    var units: RewardedUnits
    /// By arm and value of the dimension.
    var tallies: SegmentTable<RegretTally>
    /// By place and value of the dimension.
    var orders: SegmentTable<OrderHistogram>
    /// For each segment of the rewards, where it stands in the other two; -1 where that is not known yet.
    var links: [(tally: Int, order: Int)] = []
    /// What the unit adds to each tally.
    var own: [Own] = []
  }

  /// What a unit adds to a tally.
  struct Own: Sendable {
    var tally: Int
    var rewards = SmallSum()
    var weights = SmallSum()
  }

  let rules: RegretRules
  /// What units are resampled by; nil without replicates.
  let hashes: UnitHashes?

  var needs: UnitNeeds { rules.needs }

  func makeState(_ context: UnitContext) -> State {
    var empty = RegretTally()
    if hashes != nil {
      empty.resampled = PoissonBootstrap(replicates: rules.replicates, seed: rules.seed)
    }
    return State(
      units: RewardedUnits(context, rules.attribution), tallies: SegmentTable(empty),
      orders: SegmentTable(OrderHistogram(limit: rules.orderRanges)))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for place in state.units.decisions.indices {
      let decision = state.units.decisions[place]
      let event = history[decision.index]
      let link = link(decision.segment, &state)
      state.orders.tallies[link.order].add(DecisionOrder.key(event, decision.index))
      weigh(state.units.reward(of: decision), event, link.tally, &state)
    }
    resample(history[0].unit, &state)
  }

  /// Where a segment of the rewards stands in the other tables.
  private func link(_ segment: Int, _ state: inout State) -> (tally: Int, order: Int) {
    while state.links.count <= segment { state.links.append((-1, -1)) }
    if state.links[segment].tally < 0 {
      let (arm, value) = state.units.table.segment(at: segment)
      state.links[segment] = (
        state.tallies.place(of: arm, value),
        state.orders.place(of: state.units.place(of: arm), value)
      )
    }
    return state.links[segment]
  }

  /// Adds a decision to the sums of which the mean of its variant is made.
  private func weigh(_ reward: Double, _ event: UnitEvent, _ tally: Int, _ state: inout State) {
    var (value, weight) = (reward, 0.0)
    if rules.means != .plain {
      guard event.hasNumber, event.number > 0, event.number <= 1 else { return }
      (value, weight) = (reward / event.number, 1 / event.number)
      state.tallies.tallies[tally].weights.add(weight)
    }
    state.tallies.tallies[tally].weighed += 1
    if value != 0 { state.tallies.tallies[tally].rewards.add(value) }
    guard hashes != nil else { return }
    let index = state.own.firstIndex { $0.tally == tally } ?? state.own.count
    if index == state.own.count { state.own.append(Own(tally: tally)) }
    state.own[index].rewards.add(value)
    if rules.means == .snips { state.own[index].weights.add(weight) }
  }

  private func resample(_ unit: UInt32, _ state: inout State) {
    guard let hashes, !state.own.isEmpty else { return }
    let hash = hashes[unit]
    for own in state.own {
      let below = rules.means == .snips ? own.weights.value : Double(own.rewards.count)
      state.tallies.tallies[own.tally].resampled?.add(own.rewards.value, over: below, unit: hash)
    }
    state.own.removeAll(keepingCapacity: true)
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    state.tallies.merge(other.tallies) { $1.merge($0) }
    state.orders.merge(other.orders) { $1.merge($0) }
  }

  func result(of state: State, _ context: UnitContext) -> State { state }
}

extension RegretSurvey.State {
  /// The sums of an arm within a value of the dimension.
  func tally(_ arm: UInt32, _ value: UInt32) -> RegretTally {
    tallies.find(arm, value) ?? RegretTally()
  }
}
