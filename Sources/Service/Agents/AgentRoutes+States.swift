internal import DecidingAgents
internal import DecidingCore
internal import Events

// Pausing, resuming, stopping, and resetting what was learned.

extension AgentRoutes {
  var stateRoutes: [Route] {
    [
      stateRoute(
        .post, "/{owner}/{agent}/pause", "pause", "Shows one choice to all or some sessions",
        JSONSchema.object(JSONSchema.pause, isClosed: true), JSONSchema.pausedReply, pause),
      stateRoute(
        .post, "/{owner}/{agent}/resume", "resume", "Resumes a paused or stopped agent",
        JSONSchema.object(JSONSchema.sessions, isClosed: true), JSONSchema.resumedReply, resume),
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
    let parameters = try AgentParameters(call.request, among: JSONSchema.pause.names)
    let slots = try parameters.optional("slots", Wire.slotCodes).map(AgentPause.init)
    guard let pause = try slots ?? parameters.optional("choice", Wire.word).map(AgentPause.init) else {
      throw AgentParameters.problem("choice", "is missing; name the choice to show")
    }
    let (agent, sessions) = (call.path["agent"], try parameters.optional("sessions", Wire.codes))
    let warnings = try await perform(isAdmin: true) { agents throws(AgentError) in
      try agents.pause(agent, pause, for: sessions)
      return agents.warnings(about: pause, of: agent)
    }
    var reply: JSONObject = ["agent": .string(agent)]
    reply["paused"] = pause.choice.map { .string($0) } ?? Wire.slotCodes.write(pause.slots)
    reply["sessions"] = sessions.map { .array($0.map { .string($0) }) }
    if !warnings.isEmpty { reply["warnings"] = .array(warnings.map { .string($0) }) }
    return ServiceResponse(json: .object(reply))
  }

  @Sendable
  private func resume(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request, among: JSONSchema.sessions.names)
    let request = AgentCall.resume(
      agent: call.path["agent"], sessions: try parameters.optional("sessions", Wire.codes))
    let answer = try await perform(isAdmin: true) { agents throws(AgentError) in try agents.answer(request) }
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
    _ = try AgentParameters(call.request, among: [])
    let agent = call.path["agent"]
    try await perform(isAdmin: true) { agents throws(AgentError) in try change(agents, agent) }
    return ServiceResponse(json: ["agent": .string(agent), word: true])
  }
}
