public import Events

/// One agent as a client sees it.
public struct Agent: Sendable {
  /// Its code.
  public let code: String

  private let client: AgentClient

  init(code: String, client: AgentClient) {
    self.code = code
    self.client = client
  }

  /// Whose decisions and goals they are.
  public var session: String { client.session }

  /// Asks for one of the choices.
  ///
  /// - Parameters:
  ///   - choices: `"a,b,c"`, `["a", "b", "c"]`, or `3` for `0`, `1` and `2`.
  ///   - point: Where in the app; `point-1` when nil.
  ///   - default: What to fall back to; the first choice when nil.
  ///   - status: Whether the decision counts at once.
  ///   - allowed: The only choices that are permitted; nil for all.
  ///   - excluding: Choices that are not permitted.
  ///   - segment: The segment the visitor is in.
  ///   - features: Features of the visitor, each with a weight.
  ///   - traits: Traits of the visitor in order, a key also several times.
  ///   - inputs: What rules may read; it is not recorded.
  ///   - visitor: What kind of visitor it is.
  /// - Returns: What the agent chose; what to fall back to, with the error, when it could not be asked or
  ///   refused. The code is empty when there is nothing to fall back to, which takes an empty list of choices
  ///   and no default.
  public func decision(
    choices: some ChoiceList, at point: String? = nil, default: String? = nil,
    status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], visitor: AgentVisitor = AgentVisitor()
  ) async -> AgentChoice {
    var request = DecisionRequest(
      agent: code, session: client.session, point: point, status: status, allowed: allowed,
      excluding: excluding, segment: segment, features: features, traits: traits, inputs: inputs,
      visitor: visitor)
    let result: Result<DecisionReply, AgentError>
    do throws(AgentError) {
      request.slots = [SlotChoices(choices: try choices.choices())]
      result = await client.answer(to: .decision(request)).flatMap(AgentClient.reply)
    } catch {
      result = .failure(error)
    }
    let code = Fallback.code(
      for: request, default: `default`, overall: client.overallDefault)
    return client.choice(result, for: request, fallingBackTo: code ?? "")
  }

  /// Asks for one of the choices that were used last at the point; for `a` or `b` when there were none.
  ///
  /// - Parameters:
  ///   - point: Where in the app; `point-1` when nil.
  ///   - default: What to fall back to; the client's overall default when nil.
  /// - Returns: What the agent chose; what to fall back to, with the error, when it could not be asked or
  ///   refused.
  /// - Throws: ``AgentError/noFallback`` when there is nothing to fall back to.
  public func decision(at point: String? = nil, default: String? = nil) async throws(AgentError)
    -> AgentChoice
  {
    let request = DecisionRequest(
      agent: code, session: client.session, point: point, slots: [SlotChoices(choices: nil)])
    let result = await client.answer(to: .decision(request)).flatMap(AgentClient.reply)
    let code = Fallback.code(
      for: request, default: `default`, overall: client.overallDefault)
    let choice = client.choice(result, for: request, fallingBackTo: code ?? "")
    if choice.isFallback, code == nil { throw .noFallback }
    return choice
  }

  /// Asks for a choice for each slot of a point.
  ///
  /// - Parameters:
  ///   - choices: `"color:red,blue/size:sm,md,lg"`; nil for the slots and choices that were used last at the
  ///     point.
  ///   - point: Where in the app; `point-1` when nil.
  ///   - default: What to fall back to, such as `"color:blue"`; a code without name goes for every slot. The first
  ///     choice of each slot when nil.
  ///   - status: Whether the decisions count at once.
  ///   - allowed: The only choices that are permitted; nil for all.
  ///   - excluding: Choices that are not permitted.
  ///   - segment: The segment the visitor is in.
  ///   - features: Features of the visitor, each with a weight.
  ///   - traits: Traits of the visitor in order, a key also several times.
  ///   - inputs: What rules may read; it is not recorded.
  ///   - visitor: What kind of visitor it is.
  /// - Returns: What the agent chose; what to fall back to, with the error, when it could not be asked or
  ///   refused. There are no choices when there is nothing to fall back to.
  public func decisions(
    choices: String? = nil, at point: String? = nil, default: String? = nil,
    status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], visitor: AgentVisitor = AgentVisitor()
  ) async -> AgentChoices {
    let request = DecisionRequest(
      agent: code, session: client.session, point: point,
      slots: choices.map { ChoiceText(multi: $0).slots }, status: status, allowed: allowed,
      excluding: excluding, segment: segment, features: features, traits: traits, inputs: inputs,
      visitor: visitor)
    let result = await client.answer(to: .decisions(request)).flatMap(AgentClient.reply)
    return client.choices(result, for: request, default: `default`)
  }

  /// Reports a goal.
  ///
  /// - Parameters:
  ///   - goal: The goal; `goal-1` when nil.
  ///   - reward: What it is worth; the goal's own default when nil.
  /// - Returns: What became of it, or why there is no answer.
  @discardableResult
  public func goal(_ goal: String? = nil, reward: Double? = nil) async -> GoalReply {
    await client.report(
      GoalRequest(agent: code, session: client.session, goal: goal, reward: reward))
  }

  /// Ends the session with this agent: its choices are forgotten, and a new decision counts as a new session.
  ///
  /// - Throws: ``AgentError``: the agent could not be asked, or refused.
  public func expireSession() async throws(AgentError) {
    let answer = try await client.answer(to: .expire(agent: code, session: client.session)).get()
    guard case .expired = answer else { throw AgentClient.mismatch }
  }

  /// Has the agent give this one choice until it is resumed. Nothing is recorded meanwhile.
  ///
  /// - Parameters:
  ///   - choice: What it gives.
  ///   - sessions: To whom; nil for all.
  /// - Throws: ``AgentError``: the agent could not be asked, or refused.
  public func pause(on choice: String, for sessions: [String]? = nil) async throws(AgentError) {
    let call = AgentCall.pause(agent: code, choice: choice, sessions: sessions)
    guard case .paused = try await client.answer(to: call).get() else {
      throw AgentClient.mismatch
    }
  }

  /// Has the agent decide again.
  ///
  /// - Parameter sessions: For whom; nil for all.
  /// - Throws: ``AgentError``: the agent could not be asked, or refused.
  public func resume(for sessions: [String]? = nil) async throws(AgentError) {
    let call = AgentCall.resume(agent: code, sessions: sessions)
    guard case .resumed = try await client.answer(to: call).get() else {
      throw AgentClient.mismatch
    }
  }
}
