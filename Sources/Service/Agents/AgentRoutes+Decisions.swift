internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentRoutes {
  var decisionRoutes: [Route] {
    let single = "Chooses for one slot, or returns the choice that the session keeps"
    let multi =
      "Chooses for several slots of a point, or returns the choices that the session keeps"
    return [Route.Method.get, .post].flatMap { method in
      [
        decisionRoute(
          method, "/{owner}/{agent}/decision", "decide", single, JSONSchema.decisionReply, decide),
        decisionRoute(
          method, "/{owner}/{agent}/decision/{choices}", "decideAmong", single,
          JSONSchema.decisionReply, decide),
        decisionRoute(
          method, "/{owner}/{agent}/decisions", "decideAll", multi, JSONSchema.decisionsReply,
          decideAll),
        decisionRoute(
          method, "/{owner}/{agent}/decisions/{slots...}", "decideAllAmong", multi,
          JSONSchema.decisionsReply, decideAll),
      ]
    }
  }

  private func decisionRoute(
    _ method: Route.Method, _ pattern: RoutePattern, _ name: String, _ summary: String,
    _ reply: JSONValue,
    _ handle: @escaping @Sendable (AdmittedRequest) async throws -> ServiceResponse
  ) -> Route {
    Route(
      method, pattern, scope: .client, isChanging: true, problems: .agents,
      Route.Description(
        operation: name + (method == .post ? "ByPost" : ""), summary: summary,
        parameters: JSONSchema.parameters(JSONSchema.decision),
        body: method == .post ? JSONSchema.object(JSONSchema.decision, isClosed: true) : nil,
        responses: [(200, "The choice, and the session that keeps it", reply)] + unknownAgent),
      handle: handle)
  }

  /// The response about an agent that does not exist.
  var unknownAgent: [(status: Int, description: String, schema: JSONValue?)] {
    [(404, "The owner, or the agent, is unknown", JSONSchema.agentProblem)]
  }

  @Sendable
  private func decide(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request, among: JSONSchema.decision.names)
    let choices = call.path["choices"]
    let slots = try parameters.singleChoices(path: choices.isEmpty ? nil : choices)
    return try await decide(call, parameters, slots) { .decision($0) }
  }

  @Sendable
  private func decideAll(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request, among: JSONSchema.decision.names)
    let slots = try parameters.multiChoices(path: call.path.rest)
    return try await decide(call, parameters, slots) { .decisions($0) }
  }

  private func decide(
    _ call: AdmittedRequest, _ parameters: AgentParameters, _ slots: [SlotChoices]?,
    _ kind: (DecisionRequest) -> AgentCall
  ) async throws -> ServiceResponse {
    let explained = try parameters.isExplained
    let request = kind(
      try parameters.decision(
        agent: call.path["agent"], slots: slots, session: try parameters.session))
    let answer = try await perform { agents throws(AgentError) in try agents.answer(request) }
    return ServiceResponse(json: json(answer, explained: explained))
  }
}
