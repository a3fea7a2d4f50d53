internal import DecidingCore
package import Events

extension AgentSession {
  /// Returns the confirmations of the choices that were fetched ahead.
  func prefetched(of agent: ExperimentID) -> [DecisionConfirmed] {
    held.filter { $0.provisional?.isPrefetched == true }.map {
      DecisionConfirmed(experiment: agent, point: $0.point, slot: $0.slot)
    }
  }

  /// Confirms the choices that were fetched ahead: a goal of the session shows that they were used.
  ///
  /// - Returns: The payloads of the events that record it.
  mutating func confirmPrefetched(of agent: ExperimentID) -> [Payload] {
    let confirmed = prefetched(of: agent)
    guard !confirmed.isEmpty else { return [] }
    for index in held.indices where held[index].provisional?.isPrefetched == true {
      held[index].confirmed = held[index].provisional
      held[index].provisional = nil
    }
    return confirmed.map { .decisionConfirmed($0) }
  }
}

extension Agents {
  /// Confirms what was fetched ahead, for events that clients send to the log: a goal confirms the decisions of its
  /// agent, a conversion those of all agents, and an exposure of another system those of the agent with its name.
  ///
  /// - Throws: ``AgentError/notRecorded(_:)``.
  package func confirmPrefetched(for events: [Event]) throws(AgentError) {
    try recorder.perform { transaction throws(AgentError) in
      try Self.record(transaction.confirmations(for: events), &transaction)
    }
  }
}

extension Transaction<AgentsState> {
  /// Returns the events that confirm what was fetched ahead.
  ///
  /// - Complexity: O(number of events · number of agents with defined choices).
  fileprivate func confirmations(for events: [Event]) -> [Event] {
    let agents = state.agents.filter { !($0.value.known.plan?.definition.points.isEmpty ?? true) }
    guard !agents.isEmpty else { return [] }
    var confirmed: Set<DecisionOfUnit> = []
    return events.flatMap { event -> [Event] in
      agents.flatMap { agent, memory -> [Event] in
        guard event.shows(agent), let session = memory.sessions[event.unit] else { return [] }
        return session.prefetched(of: agent).compactMap { decision -> Event? in
          guard confirmed.insert(DecisionOfUnit(unit: event.unit, decision: decision)).inserted
          else { return nil }
          var confirmation = self.event(event.unit, .decisionConfirmed(decision))
          confirmation.time = event.time
          return confirmation
        }
      }
    }
  }
}

private struct DecisionOfUnit: Hashable {
  var unit: UnitID
  var decision: DecisionConfirmed
}

extension Event {
  /// Returns whether the event shows that its unit used the decisions of an agent.
  fileprivate func shows(_ agent: ExperimentID) -> Bool {
    switch payload {
    case .goal(let goal): goal.experiment == agent && goal.status != .refused
    case .conversion: true
    case .decision(let decision):
      system != nil && system != .agents && decision.experiment == agent
        && decision.status != .excluded
    default: false
    }
  }
}
