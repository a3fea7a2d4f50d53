internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentRoutes {
  /// The maximum number of items of a batch.
  static let batchLimit = 100

  /// The maximum size of the body of a batch, and of a definition.
  static let largeBodyLimit = 1 << 20

  var batchRoute: Route {
    Route(
      .post, "/{owner}/-/batch", scope: .client, isChanging: true,
      bodyLimit: Self.largeBodyLimit, problems: .agents,
      Route.Description(
        operation: "batch",
        summary: "Executes up to \(Self.batchLimit) decisions, goals and expiries in order",
        parameters: JSONSchema.parameters(JSONSchema.decision), body: JSONSchema.batchBody,
        responses: [
          (200, "An answer or an error for each item, in order", JSONSchema.batchReply),
          (404, "The owner is unknown", JSONSchema.agentProblem),
        ])
    ) { call in try await execute(call, isOfCommands: false) }
  }

  var commandsRoute: Route {
    Route(
      .post, "/{owner}/v3/agent-api", scope: .client, isChanging: true,
      bodyLimit: Self.largeBodyLimit, problems: .agents,
      Route.Description(
        operation: "commands",
        summary: "Executes up to \(Self.batchLimit) commands of Conductrics' third interface",
        parameters: JSONSchema.parameters(JSONSchema.decision), body: JSONSchema.commandsBody,
        responses: [
          (
            200, "An item for each command, in order, and the selections", JSONSchema.commandsReply
          ),
          (404, "The owner is unknown", JSONSchema.agentProblem),
        ])
    ) { call in try await execute(call, isOfCommands: true) }
  }

  /// Executes a body of several calls: a list of items, or an object with a list of commands. A list is one of commands
  /// only at the route of commands.
  private func execute(_ call: AdmittedRequest, isOfCommands: Bool) async throws -> ServiceResponse {
    try checkOwner(call)
    let parameters = try AgentParameters(call.request, among: nil, takesList: true)
    let named = parameters.members["commands"]?.array
    guard let items = named ?? parameters.list else {
      throw ServiceProblem(
        400, "invalid-body",
        isOfCommands
          ? #"the body has no commands; send {"commands":[{"a":"shop"}]}"#
          : "the body must be a list of calls, such as "
            + #"[{"agent":"shop","type":"decision","choices":"a,b"}]"#)
    }
    guard items.count <= Self.batchLimit else {
      throw ServiceProblem(
        413, "batch-too-long",
        "a batch of \(items.count) items; send at most \(Self.batchLimit) at once")
    }
    let shared = try session(parameters)
    if isOfCommands || named != nil {
      let commands = try AgentCommands(items, of: parameters, session: shared)
      return ServiceResponse(json: commands.json(try await execute(commands.calls)))
    }
    let explained = try parameters.isExplained
    let isAdmin = call.key?.scopes.contains(.admin) ?? true
    let batch = items.map { item in
      Result { () throws(ServiceProblem) in
        try self.call(item, of: parameters, session: shared, isAdmin: isAdmin)
      }
    }
    let results = try await execute(batch.compactMap { try? $0.get() })
    return ServiceResponse(json: .array(entries(batch, results, explained)))
  }

  /// Executes the calls; each has an answer or a problem of its own.
  ///
  /// - Throws: ``ServiceProblem`` if the log cannot be written; then nothing of the batch is acknowledged.
  private func execute(
    _ calls: [AgentCall]
  ) async throws(ServiceProblem) -> [Result<AgentAnswer, ServiceProblem>] {
    let systems = try host.writableSystems()
    var results: [Result<AgentAnswer, ServiceProblem>] = []
    for (call, result) in zip(calls, systems.agents.answers(calls)) {
      results.append(try self.result(result, of: call, systems))
    }
    try await host.settle(systems)
    return results
  }

  /// Returns the result of a call. Decisions that were not recorded together, because of one of them, are retried
  /// alone.
  private func result(
    _ result: Result<AgentAnswer, AgentError>, of call: AgentCall, _ systems: Systems
  ) throws(ServiceProblem) -> Result<AgentAnswer, ServiceProblem> {
    var result = result
    for isRetry in [false, true] {
      switch result {
      case .success(let answer): return .success(answer)
      case .failure(.notRecorded(let reason)):
        let problem = host.failed(systems, reason)
        if problem.status == 503 { throw problem }
        if isRetry { return .failure(problem) }
        result = Result { () throws(AgentError) in try systems.agents.answer(call) }
      case .failure(let error): return .failure(ServiceProblem(error))
      }
    }
    return result.mapError { ServiceProblem($0) }
  }

  /// Returns one entry for each item, in order.
  private func entries(
    _ batch: [Result<AgentCall, ServiceProblem>],
    _ results: [Result<AgentAnswer, ServiceProblem>], _ explained: Bool
  ) -> [JSONValue] {
    var rest = results[...]
    return batch.map { item in
      let result = item.flatMap { _ in rest.popFirst() ?? .failure(.init(500, "internal", "")) }
      switch result {
      case .success(let answer): return ["data": json(answer, explained: explained)]
      case .failure(let problem):
        return ["data": .null, "err": .string(problem.message), "code": .string(problem.code)]
      }
    }
  }

  // MARK: Items

  /// Returns the call of an item. The parameters of the request apply to every item, and its session to those that name
  /// none. Only an administrator may pause and resume agents.
  private func call(
    _ item: JSONValue, of batch: AgentParameters, session: String, isAdmin: Bool
  ) throws(ServiceProblem) -> AgentCall {
    guard let object = item.object else {
      throw ServiceProblem(
        400, "invalid-item", "an item must be an object, not \(item.kindName)")
    }
    var parameters = try AgentParameters(item: object, of: batch, among: JSONSchema.item.names)
    parameters.complete("type", "decision")
    parameters.complete("session", session)
    let type = parameters.members["type"]
    guard isAdmin || type != "pause" && type != "resume" else {
      throw ServiceProblem(400, "invalid-item", "only an administrator may pause and resume agents")
    }
    return try parameters.call()
  }
}
