/// The way to agents in the same process: a call, and no waiting.
public struct LocalAgents: AgentTransport {
  private let agents: Agents

  /// Makes a way to the agents.
  public init(_ agents: Agents) { self.agents = agents }

  /// An answer never waits.
  public var answersAtOnce: Bool { true }

  /// Answers the request.
  ///
  /// - Throws: ``AgentError``, as ``reply(to:)`` does.
  public func send(_ request: AgentRequest) async throws -> AgentReply { try reply(to: request) }

  /// Answers the request, whatever its key, which is for whoever lets requests in to check.
  ///
  /// The decisions of a batch are recorded together when it has nothing else; otherwise its calls are answered
  /// one after the other.
  ///
  /// - Throws: ``AgentError``: the owner has no agents here, or a single call was refused. A call of a batch that
  ///   was refused has its error in the reply.
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
  /// Does what a call asks for.
  ///
  /// - Throws: ``AgentError``, as the method does that the call stands for.
  public func answer(_ call: AgentCall) throws(AgentError) -> AgentAnswer {
    switch call {
    case .decision(let request): return .decision(try decide(request.single))
    case .decisions(let request): return .decisions(try decide(request))
    case .goal(let request): return .goal(try goal(request))
    case .expire(let agent, let session):
      try expire(session: session, agent: agent)
      return .expired(agent: agent, session: session)
    case .pause(let agent, let choice, let sessions):
      if let sessions {
        try pause(agent, on: choice, for: sessions)
      } else {
        try pause(agent, on: choice)
      }
      return .paused(agent: agent, choice: choice, sessions: sessions)
    case .resume(let agent, let sessions):
      if let sessions { try resume(agent, for: sessions) } else { try resume(agent) }
      return .resumed(agent: agent, sessions: sessions)
    }
  }

  /// Does what the calls ask for, in order. Decisions are recorded together when there is nothing else.
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
  /// What is to be decided; nil when the call is for something else.
  fileprivate var decisionRequest: DecisionRequest? {
    switch self {
    case .decision(let request): request.single
    case .decisions(let request): request
    default: nil
    }
  }
}

extension DecisionRequest {
  /// The request in the single form: without slots it is for `decision-1`, not for all slots used earlier; of
  /// several slots it is for the first.
  fileprivate var single: DecisionRequest {
    var request = self
    request.slots = [slots?.first ?? SlotChoices(choices: nil)]
    return request
  }
}
