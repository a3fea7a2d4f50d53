/// A transport to agents in the same process, which never waits.
public struct LocalAgents: AgentTransport {
  private let agents: Agents

  /// Creates a transport to the agents.
  public init(_ agents: Agents) { self.agents = agents }

  public var answersAtOnce: Bool { true }

  /// Answers the request.
  ///
  /// - Throws: ``AgentError``, as ``reply(to:)`` does.
  public func send(_ request: AgentRequest) async throws -> AgentReply { try reply(to: request) }

  /// Answers the request. Its API key is not checked: that is up to the caller.
  ///
  /// A batch that consists of decisions only is recorded as one; otherwise its calls are answered one after
  /// the other.
  ///
  /// - Throws: ``AgentError`` when the owner has no agents here, or a single call was refused. A refused call
  ///   of a batch has its error in the reply.
  public func reply(to request: AgentRequest) throws(AgentError) -> AgentReply {
    guard request.owner.utf8.elementsEqual(agents.owner.utf8) else {
      throw .service(
        "unknown owner \"\(request.owner)\"; the agents here are \"\(agents.owner)\"'s")
    }
    switch request.body {
    case .call(let call): return .answer(try agents.answer(call))
    case .batch(let calls): return .batch(agents.answers(calls))
    }
  }
}

extension Agents {
  /// Executes a call.
  ///
  /// - Throws: ``AgentError``, as the corresponding method does.
  public func answer(_ call: AgentCall) throws(AgentError) -> AgentAnswer {
    switch call {
    case .decision(let request): return .decision(try decide(request.single))
    case .decisions(let request): return .decisions(try decide(request))
    case .goal(let request): return .goal(try goal(request))
    case .expire(let agent, let session):
      try expire(session: session, agent: agent)
      return .expired(agent: agent, session: session)
    case .pause(let agent, let choice, let sessions):
      try pause(agent, AgentPause(on: choice), for: sessions)
      return .paused(agent: agent, choice: choice, sessions: sessions)
    case .resume(let agent, let sessions):
      if let sessions { try resume(agent, for: sessions) } else { try resume(agent) }
      return .resumed(agent: agent, sessions: sessions)
    }
  }

  /// Executes calls in order. Calls that are all decisions are recorded as one batch.
  ///
  /// - Returns: One result for each call.
  public func answers(_ calls: [AgentCall]) -> [Result<AgentAnswer, AgentError>] {
    let requests = calls.compactMap(\.decisionRequest)
    guard requests.count == calls.count else {
      return calls.map { call in Result { () throws(AgentError) in try answer(call) } }
    }
    return zip(calls, decide(requests)).map { call, result in
      result.map { reply in
        if case .decision = call { .decision(reply) } else { .decisions(reply) }
      }
    }
  }
}

extension AgentCall {
  /// The request of a decision; nil for any other call.
  fileprivate var decisionRequest: DecisionRequest? {
    switch self {
    case .decision(let request): request.single
    case .decisions(let request): request
    default: nil
    }
  }
}

extension DecisionRequest {
  /// The request in the single form: without slots it is for `decision-1`, not for all slots used before; of
  /// several slots it is for the first.
  fileprivate var single: DecisionRequest {
    var request = self
    request.slots = [slots?.first ?? SlotChoices(choices: nil)]
    return request
  }
}
