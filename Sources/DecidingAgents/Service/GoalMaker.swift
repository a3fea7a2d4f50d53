internal import DecidingCore
internal import Events

extension AgentSession {
  /// Returns why a goal with this value does not count; nil when it does.
  func refusal(of value: Double, for goal: AgentGoal) -> GoalRefusal? {
    if held.isEmpty { return hasExpired ? .expired : .noDecision }
    if !isConfirmed { return .notConfirmed }
    if let refusal = goal.refusal(of: value) { return refusal }
    if let limit = goal.limit, goals[GoalID(goal.code)] ?? 0 >= limit { return .limit }
    return nil
  }
}

/// Judges one goal for one agent: determines the answer and the events to record.
struct GoalMaker {
  let settings: AgentSettings
  let agent: ExperimentID
  let unit: UnitID
  let goal: String
  /// The value reported; nil for the goal's own default.
  let reward: Double?
  let now: Timestamp

  func outcome(_ memory: AgentMemory?) throws(AgentError) -> (GoalReply.AgentReward, [Payload]) {
    guard memory != nil || settings.createsUnknown else { throw .unknownAgent(agent.rawValue) }
    guard isKnown(memory) else { throw .unknownGoal(goal) }
    if let activity = memory?.known.activity {
      if activity.isStopped { return (refused(.stopped), []) }
      if activity.pause(for: unit) != nil { return (refused(.paused), []) }
    }
    let plan = memory?.known.plan ?? .standard
    let rule = plan.goal(goal) ?? AgentGoal(goal)
    let value = reward ?? rule.default
    var session = memory?.sessions[unit]
    var payloads: [Payload] = []
    if session?.isTimedOut(at: now, after: plan.definition.timeout ?? settings.timeout) == true {
      session?.expire()
      payloads.append(
        .sessionExpired(SessionExpired(experiment: agent, reason: Reason.timeout.rawValue)))
    }
    payloads += session?.confirmPrefetched(of: agent) ?? []
    let refusal = session.map { $0.refusal(of: value, for: rule) } ?? .noDecision
    payloads.append(
      .goal(
        Goal(
          experiment: agent, goal: GoalID(goal), value: value,
          status: refusal == nil ? .accepted : .refused, reason: refusal?.rawValue)))
    guard let refusal else {
      return (GoalReply.AgentReward(agent: agent.rawValue, reward: value), payloads)
    }
    return (refused(refusal), payloads)
  }

  /// Returns whether the agent has the goal, or creates it on first use.
  func isKnown(_ memory: AgentMemory?) -> Bool {
    settings.createsUnknown || memory?.known.plan?.goal(goal) != nil
      || memory?.known.goals[GoalID(goal)] != nil
  }

  private func refused(_ refusal: GoalRefusal) -> GoalReply.AgentReward {
    GoalReply.AgentReward(agent: agent.rawValue, reward: 0, refusal: refusal)
  }
}
