internal import Events

extension AgentsState {
  /// A goal of an agent that is not known concerns another system; one of a session without a confirmed
  /// decision earns nothing, whatever it says.
  mutating func apply(_ goal: Goal, _ event: Event) {
    guard agents[goal.experiment] != nil else { return }
    agents[goal.experiment]?.known.goals[goal.goal, default: 0].increment()
    guard goal.status != .refused,
      let session = agents[goal.experiment]?.sessions[event.unit], session.isConfirmed
    else { return }
    let value = goal.value ?? 1
    guard value.isFinite else { return }
    let indices =
      agents[goal.experiment]?.known.plan?.definition.credit == .last
      ? session.latest.map { [$0] } ?? [] : Array(session.held.indices)
    for index in indices { credit(value, index, goal.experiment, event.unit) }
    agents[goal.experiment]?.sessions[event.unit]?.count(goal.goal, at: event.time)
  }

  /// Credits the value to one decision of the session, unless it is not learned from.
  private mutating func credit(
    _ value: Double, _ index: Int, _ agent: ExperimentID, _ unit: UnitID
  ) {
    guard let held = agents[agent]?.sessions[unit]?.held, held.indices.contains(index),
      let choice = held[index].confirmed, !choice.isForced,
      choice.epoch == agents[agent]?.known.epoch
    else { return }
    agents[agent]?.known.credit(
      value, to: choice, point: held[index].point, slot: held[index].slot)
    agents[agent]?.sessions[unit]?.held[index].confirmed?.isRewarded = true
  }
}

extension AgentSession {
  fileprivate mutating func count(_ goal: GoalID, at time: Timestamp) {
    goals[goal, default: 0].increment()
    touch(time)
  }
}
