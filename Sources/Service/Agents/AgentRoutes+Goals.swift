internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentRoutes {
  var goalRoutes: [Route] {
    [Route.Method.get, .post].flatMap { method in
      [
        goalRoute(method, "/{owner}/{agent}/goal", "goal"),
        goalRoute(method, "/{owner}/{agent}/goal/{goal}", "goalNamed"),
        goalRoute(method, "/{owner}/-/goal", "goalOfAll"),
        goalRoute(method, "/{owner}/-/goal/{goal}", "goalOfAllNamed"),
        expireRoute(method),
      ]
    }
  }

  private func goalRoute(
    _ method: Route.Method, _ pattern: RoutePattern, _ name: String
  ) -> Route {
    let isOfAll = pattern.parts.contains(.literal("-"))
    return Route(
      method, pattern, scope: .client, isChanging: true, problems: .agents,
      Route.Description(
        operation: name + (method == .post ? "ByPost" : ""),
        summary: isOfAll
          ? "Rewards every agent that decided for the session" : "Rewards the agent for a goal",
        parameters: JSONSchema.parameters(JSONSchema.goal),
        body: method == .post ? JSONSchema.object(JSONSchema.goal, isClosed: true) : nil,
        responses: [
          (
            200, "What was accepted; 0 without a decision, beyond the limit, and so on",
            isOfAll ? JSONSchema.goalOfAllReply : JSONSchema.goalReply
          )
        ] + unknownAgent),
      handle: reachGoal)
  }

  @Sendable
  private func reachGoal(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    var parameters = try AgentParameters(call.request, among: JSONSchema.goal.names)
    parameters.complete("session", try session(parameters))
    var request = try parameters.read(GoalRequest.table.read)
    let (agent, goal) = (call.path["agent"], call.path["goal"])
    if !agent.isEmpty { request.agent = agent }
    if !goal.isEmpty { request.goal = goal }
    let explained = try parameters.isExplained
    let answer = try await perform { agents throws(AgentError) in
      try agents.answer(.goal(request))
    }
    return ServiceResponse(json: json(answer, explained: explained))
  }

  private func expireRoute(_ method: Route.Method) -> Route {
    Route(
      method, "/{owner}/{agent}/expire", scope: .client, isChanging: true, problems: .agents,
      Route.Description(
        operation: "expire" + (method == .post ? "ByPost" : ""),
        summary: "Ends the session with the agent, which forgets its choices",
        parameters: JSONSchema.parameters(JSONSchema.session),
        responses: [(200, "The session has ended", JSONSchema.expiredReply)] + unknownAgent),
      handle: expire)
  }

  @Sendable
  private func expire(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request, among: JSONSchema.session.names)
    let request = AgentCall.expire(agent: call.path["agent"], session: try session(parameters))
    let answer = try await perform { agents throws(AgentError) in try agents.answer(request) }
    return ServiceResponse(json: json(answer, explained: false))
  }
}
