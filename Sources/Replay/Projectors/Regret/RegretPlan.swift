/// For each place of a log, the numbers of decisions after which there is a row, and the ranges of the decision order
/// that contain the last decisions before these rows.
struct RegretPlan: Sendable {
  /// A place, for one value of the dimension.
  struct Place: Sendable {
    /// The number of its decisions.
    var count: Int
    /// The numbers of decisions after which there is a row; the last one is the number of all.
    var checkpoints: [Int]
    /// The ranges of the last decision before each row but the final one: distinct, in order.
    var ranges: [OrderRange]

    /// Returns the index of the range that contains a moment, or the number of ranges before it.
    func find(_ key: UInt128) -> (gap: Int, isInRange: Bool) {
      var (low, high) = (0, ranges.count)
      while low < high {
        let middle = (low + high) / 2
        if ranges[middle].isReached(by: key) { low = middle + 1 } else { high = middle }
      }
      return (low, low < ranges.count && ranges[low].contains(key))
    }
  }

  private var index = CodeIndex()
  private(set) var places: [Place] = []

  /// Creates the first plan, from the counts of the survey.
  init(_ orders: SegmentTable<OrderHistogram>) {
    for place in 0..<orders.count {
      let order = orders.tallies[place]
      let checkpoints = DecisionOrder.checkpoints(order.total)
      let (number, value) = orders.segment(at: place)
      _ = index.index(of: Self.key(number, value))
      places.append(
        Place(
          count: order.total, checkpoints: checkpoints,
          ranges: order.ranges(of: checkpoints.dropLast())))
    }
  }

  private static func key(_ place: UInt32, _ value: UInt32) -> UInt64 {
    UInt64(value) << 32 | UInt64(place)
  }

  /// Returns the index of a place in ``places``.
  func find(_ place: UInt32, _ value: UInt32) -> Int? { index.find(Self.key(place, value)) }

  /// Returns the number of decisions allowed in a range, given how many may be kept altogether.
  func enough(_ kept: Int) -> Int {
    max(1, kept / max(1, places.reduce(0) { $0 + $1.ranges.count }))
  }

  /// Replaces ranges by narrower ones within them, where those were counted.
  mutating func refine(_ orders: RegretRefinement.Orders) {
    for place in places.indices {
      let checkpoints = places[place].checkpoints.dropLast()
      places[place].ranges = places[place].ranges.enumerated().flatMap { number, range in
        guard let order = orders[place]?[number] else { return [range] }
        let inside = checkpoints.filter { $0 > range.before && $0 <= range.before + range.count }
        return order.ranges(of: Array(inside), before: range.before)
      }
    }
  }
}

/// Another pass over the ranges of a plan that contain too many decisions to keep, such as those of one time, which
/// counts them in narrower ranges. Decisions of one unit at one time stay together: its history is in memory at once.
struct RegretRefinement: UngroupedProjector {
  /// The counts by place of the plan and index of the range.
  typealias Orders = [Int: [Int: OrderHistogram]]

  struct State: Sendable {
    var units: RewardedUnits
    var orders: Orders = [:]
    let order: DecisionOrder
  }

  let rules: RegretRules
  let plan: RegretPlan

  /// Creates a refinement; nil if every range of the plan has few enough decisions.
  init?(_ rules: RegretRules, _ plan: RegretPlan) {
    let enough = plan.enough(rules.keptDecisions)
    guard plan.places.contains(where: { $0.ranges.contains { $0.isDivisible(enough) } }) else {
      return nil
    }
    self.rules = rules
    self.plan = plan
  }

  var needs: UnitNeeds { rules.needs }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, rules.attribution), order: DecisionOrder(context))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    let enough = plan.enough(rules.keptDecisions)
    for decision in state.units.decisions {
      let (arm, value) = state.units.table.segment(at: decision.segment)
      guard let place = plan.find(state.units.place(of: arm), value) else { continue }
      let key = state.order.moment(history[decision.index])
      let (gap, isInRange) = plan.places[place].find(key)
      guard isInRange, plan.places[place].ranges[gap].isDivisible(enough) else { continue }
      let empty = OrderHistogram(limit: rules.orderRanges)
      state.orders[place, default: [:]][gap, default: empty].add(key)
    }
  }

  func merge(_ other: State, into state: inout State) {
    for (place, orders) in other.orders {
      for (range, order) in orders {
        let empty = OrderHistogram(limit: rules.orderRanges)
        state.orders[place, default: [:]][range, default: empty].merge(order)
      }
    }
  }

  func result(of state: State, _ context: UnitContext) -> Orders { state.orders }
}
