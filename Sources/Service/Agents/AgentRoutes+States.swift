internal import DecidingAgents
internal import DecidingCore
internal import Events

// Pausing, resuming, stopping, and resetting what was learned.

extension AgentRoutes {
  var stateRoutes: [Route] {
    [
      stateRoute(
        .post, "/{owner}/{agent}/pause", "pause", "Shows one choice to all or some sessions",
        JSONSchema.pauseBody, JSONSchema.pausedReply, pause),
      stateRoute(
        .post, "/{owner}/{agent}/resume", "resume", "Resumes a paused or stopped agent",
        JSONSchema.sessionsBody, JSONSchema.resumedReply, resume),
      stateRoute(
        .post, "/{owner}/{agent}/stop", "stop", "Shows the first choice to all sessions", nil,
        JSONSchema.done("stopped"), stop),
      stateRoute(
        .delete, "/{owner}/{agent}/data", "reset", "Discards what the agent has learned", nil,
        JSONSchema.done("reset"), reset),
    ]
  }

  func stateRoute(
    _ method: Route.Method, _ pattern: RoutePattern, _ operation: String, _ summary: String,
    _ body: JSONValue?, _ reply: JSONValue,
    _ handle: @escaping @Sendable (AdmittedRequest) async throws -> ServiceResponse
  ) -> Route {
    Route(
      method, pattern, scope: .admin, isChanging: true, problems: .agents,
      Route.Description(
        operation: operation + "Agent", summary: summary, body: body,
        responses: [(200, "It was done", reply)] + unknownAgent),
      handle: handle)
  }

  @Sendable
  private func pause(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request)
    let agent = call.path["agent"]
    guard let slots = try parameters.slots else {
      let request = try parameters.pause(agent)
      let answer = try await perform { agents throws(AgentError) in try agents.answer(request) }
      return ServiceResponse(json: json(answer, explained: false))
    }
    let sessions = try parameters.codes("sessions")
    try await perform { agents throws(AgentError) in
      if let sessions {
        try agents.pause(agent, on: slots, for: sessions)
      } else {
        try agents.pause(agent, on: slots)
      }
    }
    var reply: JSONObject = ["agent": .string(agent)]
    reply["paused"] = .object(
      JSONObject(slots.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
    reply["sessions"] = sessions.map { .array($0.map { .string($0) }) }
    return ServiceResponse(json: .object(reply))
  }

  @Sendable
  private func resume(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let sessions = try AgentParameters(call.request).codes("sessions")
    let request = AgentCall.resume(agent: call.path["agent"], sessions: sessions)
    let answer = try await perform { agents throws(AgentError) in try agents.answer(request) }
    return ServiceResponse(json: json(answer, explained: false))
  }

  @Sendable
  private func stop(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try await done(call, "stopped") { agents, agent throws(AgentError) in try agents.stop(agent) }
  }

  @Sendable
  private func reset(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try await done(call, "reset") { agents, agent throws(AgentError) in
      try agents.resetLearning(agent)
    }
  }

  /// Changes an agent, and answers `{"agent":"shop","WORD":true}`.
  func done(
    _ call: AdmittedRequest, _ word: String, _ change: (Agents, String) throws(AgentError) -> Void
  ) async throws -> ServiceResponse {
    try checkOwner(call)
    let agent = call.path["agent"]
    try await perform { agents throws(AgentError) in try change(agents, agent) }
    return ServiceResponse(json: ["agent": .string(agent), word: true])
  }
}

extension AgentParameters {
  /// Returns the call that pauses an agent on a choice.
  func pause(_ agent: String) throws(ServiceProblem) -> AgentCall {
    guard let choice = try text("choice") else {
      throw Self.problem("choice", "is missing; name the choice to show")
    }
    return .pause(agent: agent, choice: choice, sessions: try codes("sessions"))
  }

  /// The choice to show for each slot; nil if a choice for all of them is to be shown.
  var slots: [String: String]? {
    get throws(ServiceProblem) {
      guard let value = self["slots"] else { return nil }
      return try decoded("slots", value, as: [String: String].self)
    }
  }
}
