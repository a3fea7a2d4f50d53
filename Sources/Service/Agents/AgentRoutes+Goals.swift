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
        parameters: JSONSchema.goalParameters,
        body: method == .post ? JSONSchema.goalBody : nil,
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
    let parameters = try AgentParameters(call.request)
    let (agent, goal) = (call.path["agent"], call.path["goal"])
    let request = GoalRequest(
      agent: agent.isEmpty ? nil : agent, session: try session(parameters),
      goal: goal.isEmpty ? try parameters.text("goal") : goal,
      reward: try parameters.number("reward"))
    let explained = try parameters.flag("explain")
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
        parameters: JSONSchema.sessionParameters,
        responses: [(200, "The session has ended", JSONSchema.expiredReply)] + unknownAgent),
      handle: expire)
  }

  @Sendable
  private func expire(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request)
    let request = AgentCall.expire(agent: call.path["agent"], session: try session(parameters))
    let answer = try await perform { agents throws(AgentError) in try agents.answer(request) }
    return ServiceResponse(json: json(answer, explained: false))
  }
}
