internal import DecidingCore
internal import Events

/// The choice that a session holds at a point and slot.
package enum AgentHolding: Hashable, Sendable {
  /// Nothing: the session is unknown, or has expired.
  case nothing
  /// The default, because the session was excluded.
  case excluded
  /// A choice that counts.
  case confirmed(String)
  /// A choice that counts once it is confirmed.
  case provisional(String)
}

extension Agents {
  /// Returns what a session holds at a point and slot; by default at the standard ones.
  package func holding(
    of session: String, agent: String, point: String? = nil, slot: String? = nil
  ) -> AgentHolding {
    let point = point.map { PointID($0) } ?? .standard
    let slot = slot.map { SlotID($0) } ?? .standard
    return recorder.perform { transaction in
      guard let memory = transaction.state.agents[ExperimentID(agent)],
        let session = memory.sessions[UnitID(session)],
        !session.isTimedOut(
          at: transaction.now, after: memory.known.plan?.definition.timeout ?? settings.timeout)
      else { return .nothing }
      guard let index = session.index(point: point, slot: slot), let kept = session.held[index].kept
      else {
        let isExcluded = session.exclusions.contains { $0.point == point && $0.slot == slot }
        return isExcluded ? .excluded : .nothing
      }
      return session.held[index].provisional == nil
        ? .confirmed(kept.variant.rawValue) : .provisional(kept.variant.rawValue)
    }
  }
}
