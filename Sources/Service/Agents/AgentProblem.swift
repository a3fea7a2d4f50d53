internal import DecidingAgents
internal import Events
internal import Specifications

extension ServiceProblem {
  /// Creates the problem that an error of the agents is answered with. Events that were not recorded are up to the
  /// host: see ``Host/failed(_:_:)``.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - agents: The agents that the client may know of, of which an unknown one has the nearest in its message.
  init(_ error: AgentError, among agents: [String] = []) {
    var message = error.json["err"]?.string ?? error.description
    if case .unknownAgent(let agent) = error, !agents.isEmpty {
      message = NearestName.unknown("agent", agent, among: agents)
    }
    self.init(Self.status(of: error), error.word, message)
  }

  private static func status(of error: AgentError) -> Int {
    switch error {
    case .invalidCode, .codeTooLong, .reservedCode, .invalidReward, .invalidDefinition, .noFallback:
      400
    case .unknownAgent, .unknownGoal: 404
    case .notRecorded: 503
    case .service, .timeout, .network, .invalidReply, .invalidSnapshot: 500
    }
  }
}
