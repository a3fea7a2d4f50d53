public import DecidingCore
internal import Events

/// A client of the agent service for one session, with a timeout and fallbacks.
///
/// ```swift
/// let client = AgentClient(owner: "acme", transport: LocalAgents(agents), surroundings: surroundings)
/// let agent = client.agent("checkout")
/// let button = await agent.decision(choices: "green,orange")
/// ```
///
/// A client is a value: copies share the session until one of them is given another, and any number of tasks
/// can use it at the same time. It stores nothing.
public struct AgentClient: Sendable {
  /// The owner of the agents.
  public let owner: String
  /// The API key that the owner's service requires.
  public let apiKey: String
  /// The timeout of a call. Handles of agents created before keep theirs.
  public var timeout: Duration
  /// The fallback of decisions that have neither a default nor choices of their own.
  public let overallDefault: String?
  /// The session whose decisions and goals these are.
  public private(set) var session: String

  private let transport: any AgentTransport
  private let surroundings: Surroundings

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - owner: The owner of the agents.
  ///   - apiKey: The API key that the owner's service requires; none by default.
  ///   - transport: The transport to the service.
  ///   - session: The app's id of the visitor; nil for a fresh one, which lasts as long as the client.
  ///   - timeout: The timeout of a call.
  ///   - overallDefault: The fallback of decisions that have neither a default nor choices of their own.
  ///   - surroundings: The clock for the timeout, and the ids for sessions; the rest is not used.
  public init(
    owner: String, apiKey: String = "", transport: some AgentTransport, session: String? = nil,
    timeout: Duration = .seconds(5), overallDefault: String? = nil,
    surroundings: Surroundings = Surroundings(sink: MemorySink())
  ) {
    self.owner = owner
    self.apiKey = apiKey
    self.transport = transport
    self.timeout = timeout
    self.overallDefault = overallDefault
    self.surroundings = surroundings
    self.session = session ?? surroundings.ids.next()
  }

  /// Switches to another session; nil for one with a fresh id. Handles of agents created before keep their
  /// session.
  public mutating func setSession(_ id: String?) {
    session = id ?? surroundings.ids.next()
  }

  /// Returns a handle of the agent with the given code.
  public func agent(_ code: String) -> Agent { Agent(code: code, client: self) }

  /// Reports a goal to every agent with a decision for the session.
  ///
  /// - Parameters:
  ///   - code: The goal; `goal-1` when nil.
  ///   - reward: The value of the goal; the goal's own default when nil.
  /// - Returns: Whether the goal was accepted or refused, agent by agent, or the error when there was no
  ///   answer.
  @discardableResult
  public func goal(_ code: String? = nil, reward: Double? = nil) async -> GoalReply {
    await report(GoalRequest(agent: nil, session: session, goal: code, reward: reward))
  }

  /// Requests several decisions, of any agents, in one batch. They are made in the given order.
  ///
  /// - Returns: The choices or the fallback of each decision; no choices where there is no fallback.
  public func decisions(_ batch: [BatchDecision]) async -> [AgentChoices] {
    guard !batch.isEmpty else { return [] }
    let requests = batch.map { item in
      var request = item.request
      request.session = request.session ?? session
      return request
    }
    let results = await answers(to: requests.map { .decisions($0) })
    return zip(zip(batch, requests), results).map { item, result in
      choices(result.flatMap(Self.reply), for: item.1, default: item.0.default)
    }
  }

  func report(_ request: GoalRequest) async -> GoalReply {
    let goal = request.goal ?? GoalRequest.standardGoal
    var error = AgentError.invalidReward(request.reward ?? 0)
    // The text form of a number might not represent NaN or infinity.
    if request.reward?.isFinite ?? true {
      switch await answer(to: .goal(request)) {
      case .success(.goal(let reply)): return reply
      case .success: error = Self.mismatch
      case .failure(let failure): error = failure
      }
    }
    return GoalReply(agent: request.agent, session: request.session, goal: goal, error: error)
  }

  /// Returns the choices of the answer, or the fallback.
  func choices(
    _ result: Result<DecisionReply, AgentError>, for request: DecisionRequest, default call: String?
  ) -> AgentChoices {
    switch result {
    case .success(let reply): return AgentChoices(reply)
    case .failure(let error):
      let reply = Fallback.reply(
        to: request, session, default: call, overall: overallDefault, because: error)
      return AgentChoices(reply, error: error)
    }
  }

  /// Returns the single choice of the answer, or the code.
  func choice(
    _ result: Result<DecisionReply, AgentError>, for request: DecisionRequest,
    fallingBackTo code: String
  ) -> AgentChoice {
    var error = Self.mismatch
    switch result {
    case .success(let reply):
      if let decision = reply.decisions.first { return AgentChoice(decision, of: reply) }
    case .failure(let failure): error = failure
    }
    return Fallback.choice(for: request, session, code: code, because: error)
  }

  /// Returns the answer to a single call, or the error.
  func answer(to call: AgentCall) async -> Result<AgentAnswer, AgentError> {
    await outcome(.call(call)).flatMap { reply in
      guard case .answer(let answer) = reply else { return .failure(Self.mismatch) }
      return .success(answer)
    }
  }

  private func answers(to calls: [AgentCall]) async -> [Result<AgentAnswer, AgentError>] {
    switch await outcome(.batch(calls)) {
    case .success(.batch(let results)) where results.count == calls.count: return results
    case .success: return calls.map { _ in .failure(Self.mismatch) }
    case .failure(let error): return calls.map { _ in .failure(error) }
    }
  }

  private func outcome(_ body: AgentRequest.Body) async -> AnswerRace.Outcome {
    await AnswerRace.outcome(
      of: AgentRequest(owner: owner, apiKey: apiKey, body: body), over: transport, within: timeout,
      time: surroundings.time)
  }

  static func reply(_ answer: AgentAnswer) -> Result<DecisionReply, AgentError> {
    switch answer {
    case .decision(let reply), .decisions(let reply):
      reply.decisions.isEmpty ? .failure(mismatch) : .success(reply)
    default: .failure(mismatch)
    }
  }

  /// The error for a transport that answers with the wrong kind of answer.
  static let mismatch = AgentError.invalidReply("the answer does not fit the call")
}

/// One decision of a batch.
public struct BatchDecision: Hashable, Sendable {
  /// The request. If it names no session, the client's is used.
  public var request: DecisionRequest
  /// The fallback; in the multi form when it differs by slot.
  public var `default`: String?

  /// Creates a decision of a batch.
  public init(_ request: DecisionRequest, default call: String? = nil) {
    self.request = request
    self.default = call
  }

  /// Creates a request for one of the choices; for one of those used before when nil.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when the choices are invalid.
  public init(
    agent: String, choices: (any ChoiceList)? = nil, at point: String? = nil,
    default call: String? = nil
  ) throws(AgentError) {
    let codes: [String]? = if let choices { try choices.choices() } else { nil }
    self.init(
      DecisionRequest(agent: agent, point: point, slots: [SlotChoices(choices: codes)]),
      default: call)
  }
}
