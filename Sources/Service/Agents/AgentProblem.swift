internal import DecidingAgents
internal import Events

extension ServiceProblem {
  /// Creates the problem that an error of the agents is answered with. Events that were not recorded are up to the
  /// host: see ``Host/failed(_:_:)``.
  init(_ error: AgentError) {
    let message = error.json["err"]?.string ?? error.description
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
