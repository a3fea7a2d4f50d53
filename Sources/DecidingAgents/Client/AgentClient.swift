public import DecidingCore
internal import Events

/// An app's side of the agents: one session, with a time limit and something to fall back to.
///
/// ```swift
/// let client = AgentClient(owner: "acme", transport: LocalAgents(agents), surroundings: surroundings)
/// let agent = client.agent("checkout")
/// let button = await agent.decision(choices: "green,orange")
/// ```
///
/// It is a value: copies have the same session until one of them is given another, and any number of tasks may ask
/// at the same time. It stores nothing.
public struct AgentClient: Sendable {
  /// Whose agents they are.
  public let owner: String
  /// What the owner's service asks for.
  public let apiKey: String
  /// How long an answer may take.
  public let timeout: Duration
  /// What a decision falls back to that has neither a default nor choices of its own.
  public let overallDefault: String?
  /// Whose decisions and goals they are.
  public private(set) var session: String

  private let transport: any AgentTransport
  private let surroundings: Surroundings

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - owner: Whose agents they are.
  ///   - apiKey: What the owner's service asks for; nothing by default.
  ///   - transport: The way to the service.
  ///   - session: An id that the app has for the visitor; nil for a fresh one, which lasts as long as the client.
  ///   - timeout: How long an answer may take.
  ///   - overallDefault: What a decision falls back to that has neither a default nor choices of its own.
  ///   - surroundings: The clock for the time limit, and the ids for sessions; nothing else of it is used.
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

  /// Goes on with another session; nil for one with a fresh id. Agents that were named before keep theirs.
  public mutating func setSession(_ id: String?) {
    session = id ?? surroundings.ids.next()
  }

  /// The agent of that code.
  public func agent(_ code: String) -> Agent { Agent(code: code, client: self) }

  /// Reports a goal to every agent that the session has a decision of.
  ///
  /// - Parameters:
  ///   - code: The goal; `goal-1` when nil.
  ///   - reward: What it is worth; the goal's own default when nil.
  /// - Returns: What became of it, agent by agent, or why there is no answer.
  @discardableResult
  public func goal(_ code: String? = nil, reward: Double? = nil) async -> GoalReply {
    await report(GoalRequest(agent: nil, session: session, goal: code, reward: reward))
  }

  /// Asks for several decisions at once, of any agents, which are made in this order.
  ///
  /// - Returns: For each decision what was chosen or what it falls back to; no choices where there is nothing to
  ///   fall back to.
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
    // Text that stands for a number need not be able to say these.
    if request.reward?.isFinite ?? true {
      switch await answer(to: .goal(request)) {
      case .success(.goal(let reply)): return reply
      case .success: error = Self.mismatch
      case .failure(let failure): error = failure
      }
    }
    return GoalReply(agent: request.agent, session: request.session, goal: goal, error: error)
  }

  /// The choices of the answer, or the fallback.
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

  /// The one choice of the answer, or the code.
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

  /// The answer to a single call, or why there is none.
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

  /// A transport that answers something else than it was asked.
  static let mismatch = AgentError.invalidReply("the answer does not fit the call")
}

/// One decision of a batch.
public struct BatchDecision: Hashable, Sendable {
  /// What is asked. The client's session is taken where it names none.
  public var request: DecisionRequest
  /// What to fall back to; a text of the multi form when it goes by slots.
  public var `default`: String?

  /// Asks for a decision as one of several.
  public init(_ request: DecisionRequest, default call: String? = nil) {
    self.request = request
    self.default = call
  }

  /// Asks an agent for one of the choices; for one of those it had before when nil.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` when there cannot be such choices.
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
