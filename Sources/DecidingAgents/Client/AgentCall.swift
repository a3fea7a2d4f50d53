/// A call to the agent service.
public enum AgentCall: Hashable, Sendable {
  /// Requests one choice, for the first slot of the request; for slot `decision-1` when it names none.
  case decision(DecisionRequest)
  /// Requests a choice for each slot of the request.
  case decisions(DecisionRequest)
  /// Reports a goal.
  case goal(GoalRequest)
  /// Ends the session with the agent.
  case expire(agent: String, session: String)
  /// Pauses the agent on one choice, for the given sessions or, when nil, for all.
  case pause(agent: String, choice: String, sessions: [String]?)
  /// Resumes the agent, for the given sessions or, when nil, for all.
  case resume(agent: String, sessions: [String]?)
}

/// A request sent over a transport: one call, or a batch answered in order.
public struct AgentRequest: Hashable, Sendable {
  /// The body of a request.
  public enum Body: Hashable, Sendable {
    /// A single call, which is answered or fails.
    case call(AgentCall)
    /// A batch of calls, each answered or failed on its own, in order.
    case batch([AgentCall])
  }

  /// The owner of the agents.
  public var owner: String
  /// The API key that the owner's service requires; empty when it requires none.
  public var apiKey: String
  /// The call or the batch.
  public var body: Body

  /// Creates a request.
  public init(owner: String, apiKey: String = "", body: Body) {
    self.owner = owner
    self.apiKey = apiKey
    self.body = body
  }
}

/// The answer to a call.
public enum AgentAnswer: Hashable, Sendable {
  /// The answer to ``AgentCall/decision(_:)``: a reply with one slot.
  case decision(DecisionReply)
  /// The answer to ``AgentCall/decisions(_:)``.
  case decisions(DecisionReply)
  /// The answer to ``AgentCall/goal(_:)``.
  case goal(GoalReply)
  /// The answer to ``AgentCall/expire(agent:session:)``.
  case expired(agent: String, session: String)
  /// The answer to ``AgentCall/pause(agent:choice:sessions:)``.
  case paused(agent: String, choice: String, sessions: [String]?)
  /// The answer to ``AgentCall/resume(agent:sessions:)``.
  case resumed(agent: String, sessions: [String]?)
}

/// A reply received over a transport. A single call that the service refuses has no reply: the transport
/// throws instead.
public enum AgentReply: Hashable, Sendable {
  /// The answer to a single call.
  case answer(AgentAnswer)
  /// The results of a batch: an answer or an error for each call, in order.
  case batch([Result<AgentAnswer, AgentError>])
}

/// A transport to the agent service: in process (``LocalAgents``), or over a network.
public protocol AgentTransport: Sendable {
  /// Sends a request and returns the reply. When its task is cancelled, as on a timeout, the transport should
  /// return soon; its result is then discarded.
  ///
  /// - Throws: ``AgentError/network(_:)`` when the service cannot be reached, ``AgentError/invalidReply(_:)``
  ///   when the response is not a valid reply, ``AgentError/service(_:)`` when the service refused and says
  ///   why. Any other error is treated as a network error.
  func send(_ request: AgentRequest) async throws -> AgentReply

  /// Whether ``send(_:)`` never waits, so that no timeout is needed; false by default.
  var answersAtOnce: Bool { get }
}

extension AgentTransport {
  public var answersAtOnce: Bool { false }
}
