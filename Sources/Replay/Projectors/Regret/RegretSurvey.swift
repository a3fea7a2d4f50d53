internal import EventLog
internal import Specifications
internal import Statistics

/// The first pass over a log for its regret: the rewards of every variant, the components of their means, and the
/// number of decisions of each place in ranges of their order.
struct RegretSurvey: UnitProjector {
  struct State: StateFields {
    var units: RewardedUnits
    /// By arm and value of the dimension.
    var tallies: SegmentTable<RegretTally>
    /// By place and value of the dimension.
    var orders: SegmentTable<OrderHistogram>
    /// By place and value of the dimension.
    var places = SegmentTable(RegretPlaceTally(), .places, .values)
    /// For each segment of the rewards, its index in the other two tables; -1 if not yet known.
    var links: [(tally: Int, order: Int)] = []
    /// The contributions of the current unit to each tally.
    var own: [Own] = []
    /// By tally, the place of the current unit's contribution in `own`; -1 for none.
    var ownOfTally: [Int] = []
    /// By index in the table of orders, all contributions of the current unit.
    var all = UnitScratch<All>()
    let order: DecisionOrder

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&units, other.units)
      visit(&tallies, other.tallies)
      visit(&orders, other.orders)
      visit(&places, other.places)
    }
  }

  /// The contribution of a unit to a tally.
  struct Own: Sendable {
    var tally: Int
    /// The index in the table of orders.
    var order: Int
    var rewards = SmallSum()
    var weights = SmallSum()
    var decisions = 0
  }

  /// The contributions of a unit to all tallies of a place.
  struct All: Sendable {
    /// The index in the table of orders.
    var order: Int
    var decisions = 0
    var variants = 0
  }

  let rules: RegretRules

  var needs: UnitNeeds { rules.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, rules.attribution), tallies: SegmentTable(RegretTally()),
      orders: SegmentTable(OrderHistogram(limit: rules.orderRanges), .places, .values),
      order: DecisionOrder(context))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for place in state.units.decisions.indices {
      let decision = state.units.decisions[place]
      let event = history[decision.index]
      let link = link(decision.segment, &state)
      state.orders.tallies[link.order].add(state.order.moment(event))
      weigh(state.units.reward(of: decision), event, link, &state)
    }
    addUnit(&state)
  }

  /// Returns the indices of a segment of the rewards in the other tables.
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

  /// Adds a decision to the sums from which the mean of its variant is computed.
  private func weigh(
    _ reward: Double, _ event: UnitEvent, _ link: (tally: Int, order: Int), _ state: inout State
  ) {
    let tally = link.tally
    if rules.hasIntervals { note(reward, event, &state.tallies.tallies[tally]) }
    var (value, weight) = (reward, 0.0)
    if rules.means != .plain {
      guard event.hasNumber, event.number > 0, event.number <= 1 else { return }
      (value, weight) = (reward / event.number, 1 / event.number)
      state.tallies.tallies[tally].weights.add(weight)
    }
    state.tallies.tallies[tally].weighed += 1
    if value != 0 { state.tallies.tallies[tally].rewards.add(value) }
    guard rules.hasIntervals else { return }
    let more = tally + 1 - state.ownOfTally.count
    if more > 0 { state.ownOfTally.append(contentsOf: repeatElement(-1, count: more)) }
    if state.ownOfTally[tally] < 0 {
      state.ownOfTally[tally] = state.own.count
      state.own.append(Own(tally: tally, order: link.order))
    }
    let index = state.ownOfTally[tally]
    state.own[index].rewards.add(value)
    state.own[index].decisions += 1
    if rules.means == .snips { state.own[index].weights.add(weight) }
  }

  /// Records the properties that determine which bounds of the mean are valid.
  private func note(_ reward: Double, _ event: UnitEvent, _ tally: inout RegretTally) {
    if reward != 0, reward != 1 { tally.rewardsNotBinary += 1 }
    if event.hasNumber {
      tally.propensities.add(event.number)
    } else {
      tally.withoutPropensity += 1
    }
  }

  /// Adds the unit as a whole, because its decisions are not independent of each other.
  private func addUnit(_ state: inout State) {
    for own in state.own {
      state.ownOfTally[own.tally] = -1
      let index = state.all.find(own.order) ?? state.all.insert(All(order: own.order), at: own.order)
      state.all.elements[index].decisions += own.decisions
      state.all.elements[index].variants += 1
    }
    for own in state.own {
      let below: Double =
        switch rules.means {
        case .plain: Double(own.decisions)
        case .ips:
          Double(state.all.find(own.order).map { state.all.elements[$0].decisions } ?? 0)
        case .snips: own.weights.value
        }
      state.tallies.tallies[own.tally].units.add(own.rewards.value, over: below)
    }
    for total in state.all.elements {
      let (place, value) = state.orders.segment(at: total.order)
      let index = state.places.place(of: place, value)
      state.places.tallies[index].decisions.add(Double(total.decisions))
      if total.variants > 1 { state.places.tallies[index].sharedUnits += 1 }
    }
    state.all.removeAll()
    state.own.removeAll(keepingCapacity: true)
  }

  func result(of state: State, _ context: UnitContext) -> State { state }
}

extension RegretSurvey.State {
  /// Returns the sums of an arm for a value of the dimension.
  func tally(_ arm: UInt32, _ value: UInt32) -> RegretTally {
    tallies.find(arm, value) ?? RegretTally()
  }
}
