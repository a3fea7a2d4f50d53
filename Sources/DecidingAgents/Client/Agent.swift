public import Events

/// A client's handle of one agent.
public struct Agent: Sendable {
  /// The code of the agent.
  public let code: String

  private let client: AgentClient

  init(code: String, client: AgentClient) {
    self.code = code
    self.client = client
  }

  /// The session whose decisions and goals these are.
  public var session: String { client.session }

  /// Requests one of the choices.
  ///
  /// - Parameters:
  ///   - choices: `"a,b,c"`, `["a", "b", "c"]`, or `3` for `0`, `1` and `2`.
  ///   - point: The point in the app; `point-1` when nil.
  ///   - default: The fallback; the first choice when nil.
  ///   - status: Whether the decision counts at once.
  ///   - allowed: The only choices that are permitted; nil for all.
  ///   - excluding: Choices that are not permitted.
  ///   - segment: The segment of the visitor.
  ///   - features: Features of the visitor, each with a weight.
  ///   - traits: Traits of the visitor in order; a key can occur several times.
  ///   - inputs: Values that rules and a learned policy read, recorded as the context of the decision.
  ///   - visitor: The kind of visitor.
  /// - Returns: The agent's choice; the fallback, with the error, when the agent could not be reached or
  ///   refused. The code is empty when there is no fallback, that is, with an empty list of choices and no
  ///   default.
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

  /// Requests one of the choices last used at the point; of `a` and `b` when there were none.
  ///
  /// - Parameters:
  ///   - point: The point in the app; `point-1` when nil.
  ///   - default: The fallback; the client's overall default when nil.
  /// - Returns: The agent's choice; the fallback, with the error, when the agent could not be reached or
  ///   refused.
  /// - Throws: ``AgentError/noFallback`` when there is no fallback.
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

  /// Requests a choice for each slot of a point.
  ///
  /// - Parameters:
  ///   - choices: `"color:red,blue/size:sm,md,lg"`; nil for the slots and choices last used at the point.
  ///   - point: The point in the app; `point-1` when nil.
  ///   - default: The fallback, such as `"color:blue"`; a code without a slot name applies to every slot. The
  ///     first
  ///     choice of each slot when nil.
  ///   - status: Whether the decisions count at once.
  ///   - allowed: The only choices that are permitted; nil for all.
  ///   - excluding: Choices that are not permitted.
  ///   - segment: The segment of the visitor.
  ///   - features: Features of the visitor, each with a weight.
  ///   - traits: Traits of the visitor in order; a key can occur several times.
  ///   - inputs: Values that rules and a learned policy read, recorded as the context of the decision.
  ///   - visitor: The kind of visitor.
  /// - Returns: The agent's choices; the fallback, with the error, when the agent could not be reached or
  ///   refused. There are no choices when there is no fallback.
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
  ///   - reward: The value of the goal; the goal's own default when nil.
  /// - Returns: Whether the goal was accepted or refused, or the error when there was no answer.
  @discardableResult
  public func goal(_ goal: String? = nil, reward: Double? = nil) async -> GoalReply {
    await client.report(
      GoalRequest(agent: code, session: client.session, goal: goal, reward: reward))
  }

  /// Ends the session with this agent: its choices are discarded, and a new decision starts a new session.
  ///
  /// - Throws: ``AgentError`` when the agent could not be reached, or refused.
  public func expireSession() async throws(AgentError) {
    let answer = try await client.answer(to: .expire(agent: code, session: client.session)).get()
    guard case .expired = answer else { throw AgentClient.mismatch }
  }

  /// Pauses the agent on one choice until it is resumed. Nothing is recorded meanwhile.
  ///
  /// - Parameters:
  ///   - choice: The choice to show.
  ///   - sessions: The sessions to pause; nil for all.
  /// - Throws: ``AgentError`` when the agent could not be reached, or refused.
  public func pause(on choice: String, for sessions: [String]? = nil) async throws(AgentError) {
    let call = AgentCall.pause(agent: code, choice: choice, sessions: sessions)
    guard case .paused = try await client.answer(to: call).get() else {
      throw AgentClient.mismatch
    }
  }

  /// Resumes the agent.
  ///
  /// - Parameter sessions: The sessions to resume; nil for all.
  /// - Throws: ``AgentError`` when the agent could not be reached, or refused.
  public func resume(for sessions: [String]? = nil) async throws(AgentError) {
    let call = AgentCall.resume(agent: code, sessions: sessions)
    guard case .resumed = try await client.answer(to: call).get() else {
      throw AgentClient.mismatch
    }
  }
}
