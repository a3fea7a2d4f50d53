internal import DecidingAgents
internal import DecidingCore
internal import Events

/// Rank, Reward and Activate: an agent chooses among the actions of an event, which is a session of its own, and is
/// told what the choice was worth.
///
/// The features of the context are inputs, and those of actions attributes of choices: both are recorded with the
/// decision, and read by rules and learned policies. A policy that learns by itself learns by action, and reads
/// neither.
struct PersonalizerRoutes: RouteGroup {
  let host: Host

  var routes: [Route] {
    [
      route(
        "/{owner}/{agent}/personalizer/v1.0/rank", "rank",
        "Ranks actions: chooses one of them for an event", body: JSONSchema.rank,
        (201, "The ranking, and the action to reward", JSONSchema.ranking), rank),
      route(
        "/{owner}/{agent}/personalizer/v1.0/events/{event}/reward", "reward",
        "Rewards the action that was chosen for an event", body: JSONSchema.reward,
        (204, "The reward is recorded", nil), reward),
      route(
        "/{owner}/{agent}/personalizer/v1.0/events/{event}/activate", "activate",
        "Counts the decision of an event whose activation was deferred", body: nil,
        (204, "The decision counts", nil), activate),
    ]
  }

  private func route(
    _ pattern: RoutePattern, _ operation: String, _ summary: String, body: JSONValue?,
    _ success: (status: Int, description: String, schema: JSONValue?),
    _ handle: @escaping @Sendable (AdmittedRequest, Systems) throws -> ServiceResponse
  ) -> Route {
    Route(
      .post, pattern, scope: .client, isChanging: true,
      Route.Description(
        operation: operation, summary: summary, body: body,
        responses: [
          success,
          (400, "The request is invalid", JSONSchema.problem()),
          (404, "The owner, the agent or the event is unknown", JSONSchema.problem()),
        ])
    ) { call in
      try await answer(call, handle)
    }
  }

  /// Calls the closure with the systems, and waits until its answer is durable.
  private func answer(
    _ call: AdmittedRequest, _ handle: @Sendable (AdmittedRequest, Systems) throws -> ServiceResponse
  ) async throws -> ServiceResponse {
    let owner = call.path["owner"]
    guard owner.utf8.elementsEqual(host.options.owner.utf8) else {
      throw ServiceProblem(
        404, "ResourceNotFound",
        "unknown owner \"\(owner)\"; the agents here are those of \"\(host.options.owner)\"")
    }
    let systems = try host.writableSystems()
    do {
      let response = try handle(call, systems)
      try await host.settle(systems)
      return response
    } catch let problem as PersonalizerProblem {
      throw problem.problem
    } catch let error as AgentError {
      switch error {
      case .notRecorded(let reason): throw host.failed(systems, reason)
      case .unknownAgent: throw ServiceProblem(404, "ResourceNotFound", error.description)
      default: throw ServiceProblem(400, "BadRequest", error.description)
      }
    }
  }

  // MARK: Operations

  @Sendable
  private func rank(_ call: AdmittedRequest, _ systems: Systems) throws -> ServiceResponse {
    let rank = try PersonalizerRank(call.request.body)
    let reply = try systems.agents.decide(rank.decision(of: call.path["agent"]))
    return ServiceResponse(status: 201, json: rank.response(to: reply))
  }

  /// Records the reward as the standard goal. One that does not count, such as a second one, is logged as refused.
  @Sendable
  private func reward(_ call: AdmittedRequest, _ systems: Systems) throws -> ServiceResponse {
    let event = call.path["event"]
    try PersonalizerReward.check(event: event)
    let reward = try PersonalizerReward.table.read(call.request.body)
    _ = try systems.agents.goal(
      GoalRequest(agent: call.path["agent"], session: event, reward: reward.value))
    return ServiceResponse(status: 204)
  }

  @Sendable
  private func activate(_ call: AdmittedRequest, _ systems: Systems) throws -> ServiceResponse {
    let (agent, event) = (call.path["agent"], call.path["event"])
    try PersonalizerReward.check(event: event)
    switch systems.agents.holding(of: event, agent: agent) {
    case .nothing:
      throw ServiceProblem(
        404, "ResourceNotFound",
        "the agent \"\(agent)\" has no decision for the event \"\(event)\"; rank it first")
    case .excluded, .confirmed: break
    case .provisional(let choice):
      // Only the choice that is held: others that the agent knows by now must not replace it.
      _ = try systems.agents.decide(
        DecisionRequest(agent: agent, session: event, slots: [SlotChoices(choices: [choice])]))
    }
    return ServiceResponse(status: 204)
  }
}
