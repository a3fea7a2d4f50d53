internal import DecidingCore

extension AgentsState {
  /// The number of sessions of all agents; a session that several agents have seen is counted for each.
  ///
  /// - Complexity: O(number of agents).
  package var sessionCount: Int {
    agents.reduce(into: 0) { count, agent in count += agent.1.sessions.count }
  }
}
