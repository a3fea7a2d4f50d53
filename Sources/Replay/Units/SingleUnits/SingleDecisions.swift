internal import Specifications

/// The units of a part of a log that have one decision and goals credited to it, which most units of many logs are.
///
/// The first decision of a unit is kept here, and the goals after it, until an event comes that takes more than adding
/// up: another decision, a goal that is out of order or beyond a limit, anything provisional. The unit is then
/// *released*: its events go to where the events of units are collected, in their order, and all further ones follow.
///
/// If most units turn out to have several decisions, keeping them apart is given up: all are released.
///
/// Units are found by their codes. A log numbers units in the order in which they appear, so units that appear together
/// are together in memory. Where several experiments are collected at once, each may have few of the units that appear
/// together: it numbers its own.
///
/// Memory: 16 bytes for each unit, and 12 to 20 for its number, 40 for each of their goals, and 32 for each kind of
/// decisions and propensity.
struct SingleDecisions: Sendable {
  /// The first decision of a unit.
  struct Slot: Sendable {
    /// A slot whose unit was released.
    static let released = Slot(time: 0, kind: .max, goal: 0)

    var time: Int64 = 0
    /// The number of its kind with its propensity, plus one; 0 without a decision.
    var kind: UInt32 = 0
    /// The index of the unit's latest goal plus one; 0 without one.
    var goal: UInt32 = 0

    /// Whether there is a decision that was not released.
    var isSingle: Bool { kind != 0 && kind != .max }
  }

  /// The units of a chunk.
  static let chunkSize = 1 << 10

  /// By code of the unit, or by its number, in chunks, which are empty until a unit of theirs appears.
  private(set) var chunks: [[Slot]] = []
  /// The codes of units for which there was no room, whose events are collected.
  private(set) var unitsWithoutRoom: [UInt32] = []
  /// The number of units that appeared, and that of the slots of all chunks.
  private var (units, room) = (0, 0)
  /// Whether there is room for no further chunk.
  private var isClosed = false
  /// The number of decisions that were kept and released.
  private var released = 0
  /// Whether no unit is kept apart any more.
  private(set) var hasGivenUp = false
  private var goals = SingleGoals()
  private(set) var kinds = SingleKinds()
  /// By number of the kind, whether its decisions can be kept: their variant is one of their choices.
  private var isUsable: [Bool] = []
  private(set) var summary = SingleSummary()
  /// By number of the kind with its propensity, the decisions; the first ``SingleKinds/mostAlike`` of them.
  private(set) var counts: [Int] = []
  /// The numbers of the units; nil if they are found by their codes.
  private(set) var numbers: UnitNumbers?
  /// The number of the kind of the decision that was taken most recently.
  private(set) var latestKind: UInt32 = 0
  private let attribution: Attribution
  private let experiment: UInt32
  /// The number of slots for which there is always room.
  private let leastRoom: Int

  init(
    _ attribution: Attribution, experiment: UInt32, numbersUnits: Bool = false,
    leastRoom: Int = 1 << 20
  ) {
    self.attribution = attribution
    self.experiment = experiment
    numbers = numbersUnits ? UnitNumbers() : nil
    self.leastRoom = leastRoom
  }

  @inline(__always)
  private static func place(_ number: Int) -> (chunk: Int, slot: Int) {
    (number / chunkSize, number % chunkSize)
  }

  /// Makes room for a unit, unless the units are few among those of the log.
  @inline(never)
  private mutating func makeRoom(for unit: UInt32, _ chunk: Int) -> Bool {
    let more = chunk + 1 - chunks.count
    guard numbers == nil else {
      if more > 0 { chunks.append([]) }
      chunks[chunk].append(Slot())
      return true
    }
    isClosed = isClosed || room >= leastRoom + 8 * units
    guard !isClosed else {
      if unitsWithoutRoom.last != unit { unitsWithoutRoom.append(unit) }
      return false
    }
    if more > 0 { chunks.append(contentsOf: repeatElement([], count: more)) }
    chunks[chunk] = Array(repeating: Slot(), count: Self.chunkSize)
    room += Self.chunkSize
    return true
  }

  /// Returns where the slot of a unit is, for which room is made if needed; nil if there is none.
  @inline(__always)
  private mutating func place(of unit: UInt32) -> (chunk: Int, slot: Int)? {
    let place = Self.place(numbers?.number(of: unit) ?? Int(unit))
    let isKnown = place.chunk < chunks.count && place.slot < chunks[place.chunk].count
    return isKnown || makeRoom(for: unit, place.chunk) ? place : nil
  }

  // MARK: Events

  /// Takes a decision, unless it has to be collected with all events of its unit; these are released then.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - variant: The code of its variant.
  ///   - situations: The situations.
  ///   - events: Receives the events of the unit if it is released.
  /// - Returns: Whether the decision was taken.
  @inline(__always)
  mutating func take(
    _ decision: CollectedDecision, of variant: UInt32, _ situations: SituationRegister,
    _ events: inout [UnitEvent]
  ) -> Bool {
    guard !hasGivenUp, let (chunk, place) = place(of: decision.unit) else { return false }
    guard chunks[chunk][place].kind == 0, decision.kind == .decision,
      attribution.hasSeen(decision.time), !attribution.isInProgress(decision.time),
      let kind = usableKind(decision, variant, situations)
    else {
      release(decision.unit, to: &events)
      return false
    }
    fill(chunk, place, kind, decision.time)
    latestKind = kind
    return true
  }

  /// Takes a decision of a kind that has a number, or appends its events after those of its unit, which is released.
  ///
  /// - Parameters:
  ///   - kind: The number of the kind with the propensity.
  ///   - time: The time of the decision.
  ///   - unit: The code of its unit.
  ///   - events: Receives the events if the decision has to be collected.
  @inline(__always)
  mutating func take(kind: UInt32, time: Int64, unit: UInt32, _ events: inout [UnitEvent]) {
    if !hasGivenUp, let (chunk, place) = place(of: unit) {
      let slot = chunks[chunk][place]
      if slot.kind == 0, attribution.hasSeen(time), !attribution.isInProgress(time) {
        return fill(chunk, place, kind, time)
      }
      if slot.kind != .max { release(unit, to: &events) }
    }
    let weighted = kinds.weighted[Int(kind)]
    kinds.kinds[Int(weighted.kind)].decision(
      time: time, unit: unit, experiment: experiment, propensity: weighted.propensity
    ).append(to: &events)
  }

  /// The most kinds to which decisions add that are not taken.
  private static let mostOthers = 1 << 10

  /// Returns the number of the kind of a decision that was not taken; nil if it has none because none like it can be
  /// taken, or because there are many kinds.
  mutating func number(
    of decision: CollectedDecision, of variant: UInt32, _ situations: SituationRegister
  ) -> UInt32? {
    guard kinds.weighted.count < Self.mostOthers,
      let kind = usableKind(decision, variant, situations)
    else { return nil }
    count(kind, 0)
    return kind
  }

  @inline(__always)
  private mutating func fill(_ chunk: Int, _ place: Int, _ kind: UInt32, _ time: Int64) {
    chunks[chunk][place] = Slot(time: time, kind: kind + 1, goal: 0)
    units += 1
    count(kind, 1)
    summary.decisions += 1
    summary.firstTime = min(summary.firstTime, time)
    summary.lastTime = max(summary.lastTime, time)
  }

  @inline(__always)
  private mutating func usableKind(
    _ decision: CollectedDecision, _ variant: UInt32, _ situations: SituationRegister
  ) -> UInt32? {
    guard let propensity = decision.propensity, propensity > 0, propensity <= 1 else { return nil }
    let number = kinds.number(of: SingleKind(decision))
    if number == isUsable.count {
      let choices = decision.situation.map { situations.lists[situations.list(of: $0)] } ?? []
      isUsable.append(choices.isEmpty || choices.contains(variant))
    }
    guard isUsable[Int(number)] else { return nil }
    return kinds.number(of: WeightedKind(kind: number, propensity: propensity))
  }

  @inline(__always)
  private mutating func count(_ kind: UInt32, _ more: Int) {
    if kind < counts.count {
      counts[Int(kind)] += more
    } else if kind == counts.count, kind < SingleKinds.mostAlike {
      counts.append(more)
    }
  }

  /// Takes a goal that counts, unless it has to be collected with all events of its unit; these are released then.
  ///
  /// - Parameters:
  ///   - event: The goal.
  ///   - place: The index of the arm with the place that it names; nil if it names none.
  ///   - arms: The arms.
  ///   - events: Receives the events of the unit if it is released.
  /// - Returns: Whether the goal was taken.
  @inline(__always)
  mutating func take(
    goal event: UnitEvent, place: UInt32?, _ arms: ArmRegister, _ events: inout [UnitEvent]
  ) -> Bool {
    // What the metric does not count can be forgotten.
    guard attribution.metric.signal.takes(event) else { return true }
    guard !hasGivenUp, let (chunk, index) = self.place(of: event.unit) else { return false }
    let slot = chunks[chunk][index]
    guard slot.isSingle, let goal = goal(event, place, after: slot, arms) else {
      release(event.unit, to: &events)
      return false
    }
    chunks[chunk][index].goal = goals.append(goal)
    return true
  }

  /// Returns a goal with the sums of its unit; nil if adding up is not enough.
  private mutating func goal(
    _ event: UnitEvent, _ named: UInt32?, after slot: Slot, _ arms: ArmRegister
  ) -> SingleGoals.Goal? {
    guard event.kind == .goal, event.time >= slot.time, event.number.isFinite,
      goals.count < Int(UInt32.max) - 1,
      isNamed(by: named, kinds.kinds[Int(weightedKind(slot).kind)], arms)
    else { return nil }
    var goal = SingleGoals.Goal(event, place: named, previous: slot.goal)
    if slot.goal > 0 {
      let last = goals[after: slot.goal]
      guard event.time >= last.time else { return nil }
      (goal.credited, goal.sum) = (last.credited, last.sum)
    }
    guard attribution.isWithinBounds(event), attribution.isOpen(event, since: slot.time)
    else {
      summary.uncreditedGoals += 1
      return goal
    }
    // With a limit it is the goals of each code that count: a unit that exceeds it with all is collected.
    guard goal.credited < UInt16(clamping: attribution.mostGoals ?? Int(UInt16.max)),
      let worth = attribution.metric.signal.worth(of: event),
      let sum = Self.sum(goal.sum, worth, count: goal.credited)
    else { return nil }
    goal.sum = sum
    goal.credited += 1
    summary.creditedGoals += 1
    summary.goals.count(event.subject, in: experiment)
    return goal
  }

  /// Returns the exact sum of some goals and another one; nil if it would be rounded.
  private static func sum(_ sum: Double, _ number: Double, count: UInt16) -> Double? {
    guard count > 0 else { return number }
    let total = sum + number
    let added = total - sum
    let lost = (sum - (total - added)) + (number - added)
    guard lost == 0 else { return nil }
    // An exact sum of zero has no sign; that of two numbers has theirs.
    return total == 0 && count > 1 ? 0 : total
  }

  private func isNamed(by place: UInt32?, _ kind: SingleKind, _ arms: ArmRegister) -> Bool {
    guard let place else { return true }
    let (named, here) = (arms.arms[Int(place)], arms.arms[Int(kind.arm)])
    return (named.point == ArmRegister.everyPoint || named.point == here.point)
      && (named.slot == ArmRegister.everySlot || named.slot == here.slot)
  }

  // MARK: Releasing

  /// Appends the events of a unit, and marks it as one whose events are collected.
  mutating func release(_ unit: UInt32, to events: inout [UnitEvent]) {
    guard !hasGivenUp, let (chunk, place) = place(of: unit) else { return }
    release(unit, chunk, place, to: &events)
    if released > Self.fewReleased, released > units / 2 { giveUp(to: &events) }
  }

  /// The number of released decisions that say nothing of the other units yet.
  private static let fewReleased = 1 << 12

  /// Releases all units, and keeps none from here on.
  mutating func giveUp(to events: inout [UnitEvent]) {
    guard !hasGivenUp else { return }
    for chunk in chunks.indices {
      for place in chunks[chunk].indices where chunks[chunk][place].isSingle {
        release(unit(chunk, place), chunk, place, to: &events)
      }
    }
    hasGivenUp = true
    (chunks, unitsWithoutRoom, goals) = ([], [], SingleGoals())
    numbers = numbers.map { _ in UnitNumbers() }
  }

  private mutating func release(
    _ unit: UInt32, _ chunk: Int, _ place: Int, to events: inout [UnitEvent]
  ) {
    let slot = chunks[chunk][place]
    guard slot.kind != .max else { return }
    chunks[chunk][place] = .released
    guard slot.kind != 0 else {
      units += 1
      return
    }
    append(slot, unit, to: &events)
    released += 1
    count(slot.kind - 1, -1)
    summary.decisions -= 1
    guard slot.goal > 0 else { return }
    var next = slot.goal
    while next > 0 {
      let goal = goals[after: next]
      next = goal.previous
      if goal.credited > (next > 0 ? goals[after: next].credited : 0) {
        summary.creditedGoals -= 1
        summary.goals.count(goal.code, in: experiment, -1)
      } else {
        summary.uncreditedGoals -= 1
      }
    }
  }

  /// Appends the events of a unit with a single decision, in their order.
  private func append(_ slot: Slot, _ unit: UInt32, to events: inout [UnitEvent]) {
    let kind = weightedKind(slot)
    kinds.kinds[Int(kind.kind)].decision(
      time: slot.time, unit: unit, experiment: experiment, propensity: kind.propensity
    ).append(to: &events)
    let start = events.count
    var next = slot.goal
    while next > 0 {
      let goal = goals[after: next]
      // Backwards, as the goals are met.
      events.append(goal.event(of: unit, in: experiment))
      if goal.place != SingleKind.none {
        events.append(
          UnitEvent(
            time: goal.time, number: .nan, unit: unit, experiment: experiment,
            subject: goal.place, kind: .goalPlace, hasNumber: false))
      }
      next = goal.previous
    }
    events[start...].reverse()
  }

  /// Returns the slot of a unit; nil if none of its chunk has appeared.
  func slot(of unit: UInt32) -> Slot? {
    guard let number = numbers.map({ $0.known(unit) }) ?? Int(unit) else { return nil }
    let (chunk, place) = Self.place(number)
    return chunk < chunks.count && place < chunks[chunk].count ? chunks[chunk][place] : nil
  }

  /// Returns the code of the unit of a slot.
  @inline(__always)
  func unit(_ chunk: Int, _ slot: Int) -> UInt32 {
    let number = chunk * Self.chunkSize + slot
    return numbers?.units[number] ?? UInt32(truncatingIfNeeded: number)
  }

  /// Returns the kind of a decision with its propensity.
  @inline(__always)
  func weightedKind(_ slot: Slot) -> WeightedKind { kinds.weighted[Int(slot.kind) - 1] }

  /// Returns the reward of a decision.
  @inline(__always)
  func reward(_ slot: Slot) -> Double {
    slot.goal == 0 ? 0 : goals[after: slot.goal].sum
  }
}

/// Counts of the units with a single decision.
package struct SingleSummary: Sendable, Equatable {
  /// The decisions, each of a unit of its own.
  var decisions = 0
  /// The goals that are credited to them.
  var creditedGoals = 0
  /// The goals after them that are not.
  var uncreditedGoals = 0
  /// The names of those that are.
  var goals = CreditedGoals()
  /// The time of the first decision, and of those that were released; the greatest number without any.
  package var firstTime = Int64.max
  /// The time of the last decision, and of those that were released; the smallest number without any.
  package var lastTime = Int64.min

  mutating func merge(_ other: SingleSummary) {
    decisions += other.decisions
    creditedGoals += other.creditedGoals
    uncreditedGoals += other.uncreditedGoals
    goals.merge(other.goals)
    firstTime = min(firstTime, other.firstTime)
    lastTime = max(lastTime, other.lastTime)
  }
}

extension UnitSelection {
  /// Returns whether units with a single decision can be kept apart: no event of others is needed.
  func keepsSingles(_ needs: UnitNeeds) -> Bool {
    experiments?.count == 1 && (dimension == nil || dimension == .policy)
      && needs.contains([.decisions, .goals])
      && needs.isDisjoint(with: [.conversions, .activity])
  }
}
