internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentRoutes {
  var definitionRoutes: [Route] { [readRoute, defineRoute, removeRoute, listRoute, schemaRoute] }

  private var readRoute: Route {
    Route(
      .get, "/{owner}/{agent}", scope: .read, problems: .agents,
      Route.Description(
        operation: "readAgent", summary: "Returns the definition of an agent, and its state",
        responses: [(200, "The definition", JSONSchema.agent)] + unknownAgent),
      handle: readDefinition)
  }

  private var defineRoute: Route {
    Route(
      .put, "/{owner}/{agent}", scope: .admin, isChanging: true, bodyLimit: Self.largeBodyLimit,
      problems: .agents,
      Route.Description(
        operation: "defineAgent", summary: "Creates an agent, or replaces its definition",
        body: JSONSchema.agent,
        responses: [
          (200, "The definition", JSONSchema.agent),
          (404, "The owner is unknown", JSONSchema.agentProblem),
        ]),
      handle: define)
  }

  private var removeRoute: Route {
    stateRoute(
      .delete, "/{owner}/{agent}", "remove", "Removes an agent with its sessions", nil,
      JSONSchema.done("removed"), remove)
  }

  private var listRoute: Route {
    Route(
      .get, "/{owner}/-/agents", scope: .read, problems: .agents,
      Route.Description(
        operation: "listAgents", summary: "Lists the agents",
        responses: [
          (200, "The agents, in ascending order of their codes", JSONSchema.agentsReply),
          (404, "The owner is unknown", JSONSchema.agentProblem),
        ]),
      handle: list)
  }

  /// Clients fetch the schema before they have a key.
  private var schemaRoute: Route {
    Route(
      .get, "/{owner}/schema/agent", scope: nil, problems: .agents,
      Route.Description(
        operation: "agentSchema", summary: "Returns the JSON Schema of a definition",
        responses: [
          (200, "A JSON Schema", ["type": "object"]),
          (404, "The owner is unknown", JSONSchema.agentProblem),
        ]),
      handle: { call in
        try checkOwner(call)
        return ServiceResponse(json: JSONSchema.agent)
      })
  }

  @Sendable
  private func readDefinition(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let agent = call.path["agent"]
    return ServiceResponse(
      json: try await read { agents throws(ServiceProblem) in try definition(of: agent, agents) })
  }

  /// Returns the definition of an agent, its owner and its state.
  private func definition(
    of agent: String, _ agents: Agents
  ) throws(ServiceProblem) -> JSONValue {
    guard var object = agents.definition(of: agent)?.json.object else {
      throw ServiceProblem(.unknownAgent(agent), among: agents.codes)
    }
    object["owner"] = .string(host.options.owner)
    if let activity = agents.activity(of: agent) {
      object["state"] = try? JSONValue(encoding: activity)
    }
    return .object(object)
  }

  @Sendable
  private func define(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    guard case .json(let json) = try AgentBody(call.request, isJSON: true) else {
      throw ServiceProblem(400, "invalid-body", "the body must be the definition of an agent")
    }
    let agent = call.path["agent"]
    let definition: AgentDefinition
    do throws(AgentError) {
      definition = try AgentDefinition(
        json: SentDefinition(json, agent: agent, owner: host.options.owner).json,
        policies: host.options.systems.agentSettings.policies)
    } catch {
      throw ServiceProblem(error)
    }
    try await perform { agents throws(AgentError) in try agents.define(definition) }
    return ServiceResponse(
      json: try await read { agents throws(ServiceProblem) in try self.definition(of: agent, agents)
      })
  }

  @Sendable
  private func remove(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try await done(call, "removed") { agents, agent throws(AgentError) in try agents.remove(agent) }
  }

  @Sendable
  private func list(_ call: AdmittedRequest) async throws -> ServiceResponse {
    try checkOwner(call)
    let list = try await read { agents throws(ServiceProblem) in Self.list(agents) }
    return ServiceResponse(json: ["agents": .array(list)])
  }

  private static func list(_ agents: Agents) -> [JSONValue] {
    agents.codes.map { code -> JSONValue in
      var entry: JSONObject = ["agent": .string(code)]
      entry["name"] = agents.definition(of: code)?.name.map { .string($0) }
      let activity = agents.activity(of: code)
      let isPaused = activity?.pause != nil
      entry["state"] =
        activity?.isStopped == true ? "stopped" : isPaused ? "paused" : "running"
      return .object(entry)
    }
  }
}
