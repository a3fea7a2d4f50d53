/// Whether a goal is credited, and if not, why.
enum GoalOutcome {
  /// No decision precedes the goal at a place where it could be credited.
  case orphan
  /// The attribution credits the goal to none of the decisions.
  case uncredited
  case credited
}

/// The decisions of one unit at a time that goals can be credited to, and those that each goal is credited to.
///
/// A goal is credited separately at each point and slot of its experiment (only those that it names, if it names any),
/// to the decisions that the rule of the ``Attribution`` selects among those that the window, the delay and the end
/// allow. A conversion belongs to no experiment and is credited in each of those that its unit is in. Where only the
/// latest decision of a place can be credited, earlier ones are not kept. Buffers are reused from unit to unit.
struct OpenDecisions<Kept: Sendable>: Sendable {
  /// A decision, with the data that its projector keeps of it.
  struct Decision: Sendable {
    fileprivate var place: UInt32
    fileprivate(set) var experiment: UInt32
    fileprivate var time: Int64
    /// The index of the previous decision at the place; -1 if there is none, or it is not kept.
    fileprivate var previous: Int
    var kept: Kept
  }

  /// A decision that a goal is credited to.
  struct Credit: Sendable {
    /// The index of the decision.
    var decision: Int
    /// The number by which the value of the goal is divided.
    var divisor: Double
  }

  /// The places of the log.
  let places: Places
  /// The decisions of the unit that are kept.
  var decisions: [Decision] = []
  /// The decisions that the most recent goal was credited to.
  private(set) var credits: [Credit] = []

  private let attribution: Attribution
  private let keepsLatestOnly: Bool
  private var limit: GoalLimit
  /// For each place, the index of its latest decision. May be stale: valid only if that decision is still one of the
  /// place.
  private var lastOfPlaces: [Int]
  /// The latest decision of each place, if all decisions are kept.
  private var latest: [Int] = []

  /// Creates an empty value for a log with the given arms.
  init(_ arms: [Arm], _ attribution: Attribution) {
    self.attribution = attribution
    keepsLatestOnly = attribution.rule == .last && attribution.delay == 0
    limit = GoalLimit(attribution)
    places = Places(arms)
    lastOfPlaces = Array(repeating: 0, count: places.count)
  }

  /// Forgets the current unit.
  mutating func removeAll() {
    decisions.removeAll(keepingCapacity: true)
    if !latest.isEmpty { latest.removeAll(keepingCapacity: true) }
    limit.removeAll()
  }

  /// Adds the next decision of the unit.
  ///
  /// - Returns: The data kept for the previous decision at the same place, if no goal can be credited to that any
  ///   more.
  @inline(__always)
  mutating func open(_ event: UnitEvent, _ kept: Kept) -> Kept? {
    let place = places[event.subject]
    let last = lastOfPlaces[Int(place)]
    let isKnown = last < decisions.count && decisions[last].place == place
    var decision = Decision(
      place: place, experiment: event.experiment, time: event.time, previous: -1, kept: kept)
    if isKnown, keepsLatestOnly {
      swap(&decision, &decisions[last])
      return decision.kept
    }
    if !keepsLatestOnly {
      if isKnown {
        decision.previous = last
        latest.removeAll { $0 == last }
      }
      latest.append(decisions.count)
    }
    lastOfPlaces[Int(place)] = decisions.count
    decisions.append(decision)
    return nil
  }

  /// Finds the decisions that the next goal of the unit is credited to, and stores them in ``credits``.
  @inline(__always)
  mutating func credit(goalAt index: Int, of history: Span<UnitEvent>) -> GoalOutcome {
    if !credits.isEmpty { credits.removeAll(keepingCapacity: true) }
    let goal = history[index]
    let isWithinBounds = attribution.isWithinBounds(goal)
    var outcome = GoalOutcome.orphan
    for number in 0..<(keepsLatestOnly ? decisions.count : latest.count) {
      let last = keepsLatestOnly ? number : latest[number]
      guard goal.kind == .conversion || decisions[last].experiment == goal.experiment,
        places.isNamed(byGoalAt: index, of: history, decisions[last].place)
      else { continue }
      outcome = .uncredited
      guard isWithinBounds else { continue }
      let start = credits.count
      credit(goal, from: last)
      guard credits.count > start,
        !limit.admits(
          goal.subject, at: decisions[last].place, isConversion: goal.kind == .conversion)
      else { continue }
      credits.removeSubrange(start...)
    }
    return credits.isEmpty ? outcome : .credited
  }

  /// Appends the decisions of a place that a goal is credited to, given the latest one.
  @inline(__always)
  private mutating func credit(_ goal: UnitEvent, from last: Int) {
    let start = credits.count
    var index = last
    while index >= 0 {
      if attribution.isOpen(goal, since: decisions[index].time) {
        if attribution.rule == .first { credits.removeSubrange(start...) }
        credits.append(Credit(decision: index, divisor: 1))
        if attribution.rule == .last { return }
      }
      index = decisions[index].previous
    }
    guard attribution.rule == .linear else { return }
    for place in start..<credits.count { credits[place].divisor = Double(credits.count - start) }
  }
}
