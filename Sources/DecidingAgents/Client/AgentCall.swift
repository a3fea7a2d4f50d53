/// One thing asked of the service of agents.
public enum AgentCall: Hashable, Sendable {
  /// One choice, for the first slot of the request; for slot `decision-1` when it names none.
  case decision(DecisionRequest)
  /// A choice for each slot of the request.
  case decisions(DecisionRequest)
  /// A goal was reached.
  case goal(GoalRequest)
  /// The session with the agent ends.
  case expire(agent: String, session: String)
  /// The agent gives this one choice, to the sessions or, when they are nil, to all.
  case pause(agent: String, choice: String, sessions: [String]?)
  /// The agent decides again, for the sessions or, when they are nil, for all.
  case resume(agent: String, sessions: [String]?)
}

/// What goes over a transport: one call, or several that are answered in order.
public struct AgentRequest: Hashable, Sendable {
  /// What is asked.
  public enum Body: Hashable, Sendable {
    /// One call, which is answered or fails.
    case call(AgentCall)
    /// Several calls, each answered or failed on its own, in order.
    case batch([AgentCall])
  }

  /// Whose agents they are.
  public var owner: String
  /// What the owner's service asks for before it answers; empty when it asks for nothing.
  public var apiKey: String
  /// What is asked.
  public var body: Body

  /// Asks for something.
  public init(owner: String, apiKey: String = "", body: Body) {
    self.owner = owner
    self.apiKey = apiKey
    self.body = body
  }
}

/// What a call is answered with.
public enum AgentAnswer: Hashable, Sendable {
  /// To ``AgentCall/decision(_:)``: a reply of one slot.
  case decision(DecisionReply)
  /// To ``AgentCall/decisions(_:)``.
  case decisions(DecisionReply)
  /// To ``AgentCall/goal(_:)``.
  case goal(GoalReply)
  /// To ``AgentCall/expire(agent:session:)``.
  case expired(agent: String, session: String)
  /// To ``AgentCall/pause(agent:choice:sessions:)``.
  case paused(agent: String, choice: String, sessions: [String]?)
  /// To ``AgentCall/resume(agent:sessions:)``.
  case resumed(agent: String, sessions: [String]?)
}

/// What comes back over a transport. A single call that the service refuses has no reply: there the transport
/// throws.
public enum AgentReply: Hashable, Sendable {
  /// To a single call.
  case answer(AgentAnswer)
  /// To a batch: an answer or an error for each call, in order.
  case batch([Result<AgentAnswer, AgentError>])
}

/// The way to a service of agents: in this process (``LocalAgents``), or over a network.
public protocol AgentTransport: Sendable {
  /// Sends a request and returns the reply. When its task is cancelled, as it is once the caller's time limit has
  /// passed, it should give up soon; whatever it returns after that is dropped.
  ///
  /// - Throws: ``AgentError/network(_:)`` when the service cannot be reached,
  ///   ``AgentError/invalidReply(_:)`` when what came back is no reply, ``AgentError/service(_:)`` when it
  ///   says why it refused. Any other error counts as one of the network.
  func send(_ request: AgentRequest) async throws -> AgentReply

  /// Whether ``send(_:)`` never waits, so that no time limit is needed; false unless said otherwise.
  var answersAtOnce: Bool { get }
}

extension AgentTransport {
  /// An answer may take its time.
  public var answersAtOnce: Bool { false }
}
