internal import Bandits
internal import DecidingCore
internal import Events

extension AgentsState {
  /// Applies a goal. A goal of an unknown agent belongs to another system; one of a session without a
  /// confirmed decision earns nothing, even if accepted.
  mutating func apply(_ goal: Goal, _ event: Event) {
    agents.change(goal.experiment) { $0.take(goal, event.unit, event.time) }
  }
}

extension AgentMemory {
  fileprivate mutating func take(_ goal: Goal, _ unit: UnitID, _ time: Timestamp) {
    known.goals[goal.goal, default: 0].increment()
    let value = goal.value ?? 1
    guard goal.status != .refused, value.isFinite else { return }
    Self.reward(&known, &sessions, unit, value, goal, time)
  }

  // Both are parts of the memory and both are modified, so they are passed separately.
  private static func reward(
    _ known: inout AgentKnowledge, _ sessions: inout SessionTable,
    _ unit: UnitID, _ value: Double, _ goal: Goal, _ time: Timestamp
  ) {
    sessions.change(unit) { known.reward(&$0, value, goal, time) }
  }
}

extension AgentKnowledge {
  /// Credits the value to the session's decisions by the attribution of the agent; only to those of the
  /// goal's point and slot, where it names them.
  fileprivate mutating func reward(
    _ session: inout AgentSession, _ value: Double, _ goal: Goal, _ time: Timestamp
  ) {
    let earning = session.held.indices.filter { session.held[$0].isMeant(by: goal) }
    guard earning.contains(where: { session.held[$0].confirmed != nil }) else { return }
    if plan?.definition.credit == .last {
      if let latest = session.latest(of: earning) { credit(value, to: &session.held[latest]) }
    } else {
      for index in earning { credit(value, to: &session.held[index]) }
    }
    session.goals[goal.goal, default: 0].increment()
    session.touch(time)
  }

  /// Credits the value to one decision, unless an override made it or it predates a reset of the agent's
  /// learning.
  private mutating func credit(_ value: Double, to held: inout HeldChoice) {
    guard let choice = held.confirmed, !choice.isForced, choice.epoch == epoch else { return }
    points.change(held.point) { $0.credit(value, to: choice, slot: held.slot) }
    held.confirmed?.isRewarded = true
  }
}

extension HeldChoice {
  /// Returns whether a goal can be credited here: it names no point and no slot, or these.
  fileprivate func isMeant(by goal: Goal) -> Bool {
    (goal.point ?? point) == point && (goal.slot ?? slot) == slot
  }
}

extension AgentSession {
  /// Returns which of the entries of ``held`` was counted last; if the very last one is not among them, the
  /// one whose point and slot had their first decision last.
  fileprivate func latest(of entries: [Int]) -> Int? {
    if let latest, entries.contains(latest) { return latest }
    return entries.count == held.count ? nil : entries.last { held[$0].confirmed != nil }
  }
}

extension PointMemory {
  fileprivate mutating func credit(_ value: Double, to choice: HeldChoice.Choice, slot: SlotID) {
    guard let index = slots.firstIndex(where: { $0.slot == slot }) else { return }
    slots[index].tallies.change(choice.segment) { tallies in
      tallies.change(choice.variant) { $0.add(value, isFirst: !choice.isRewarded) }
    }
    if let number = choice.number {
      slots[index].histories?.change(choice.segment) {
        $0.credit(value, to: choice.variant, at: number)
      }
    }
  }
}

extension ArmTally {
  /// Adds an accepted value. A sum that overflows stays at the greatest finite `Double`.
  fileprivate mutating func add(_ value: Double, isFirst: Bool) {
    if isFirst { rewarded.increment() }
    sum = (sum + value).saturated
    squares = (squares + value * value).saturated
  }
}
