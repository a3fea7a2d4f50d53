internal import DecidingAgents
internal import DecidingCore
internal import Events

/// The routes of the agents: decisions, goals, sessions, and definitions.
struct AgentRoutes: RouteGroup {
  let host: Host

  var routes: [Route] {
    decisionRoutes + goalRoutes + [batchRoute, commandsRoute] + definitionRoutes + stateRoutes
  }

  // MARK: Calls

  /// Calls the agents, and returns once everything that the answer rests on is durable.
  ///
  /// - Parameters:
  ///   - isAdmin: Whether the client may know which agents there are.
  ///   - body: The call.
  /// - Returns: The answer of the call.
  /// - Throws: ``ServiceProblem``; with status 503 if the log cannot be written.
  func perform<Answer: Sendable>(
    isAdmin: Bool = false, _ body: (Agents) throws(AgentError) -> Answer
  ) async throws(ServiceProblem) -> Answer {
    let systems = try host.writableSystems()
    let answer: Answer
    do throws(AgentError) {
      answer = try body(systems.agents)
    } catch {
      if case .notRecorded(let reason) = error { throw host.failed(systems, reason) }
      throw ServiceProblem(error, among: isAdmin ? systems.agents.codes : [])
    }
    try await host.settle(systems)
    return answer
  }

  /// Reads from the agents, and returns once everything that the answer rests on is durable; at once while the log
  /// cannot be written, because reading goes on.
  ///
  /// - Throws: ``ServiceProblem`` of the body, or with status 503 if the log turns out not to be writable.
  func read<Answer: Sendable>(
    _ body: (Agents) throws(ServiceProblem) -> Answer
  ) async throws(ServiceProblem) -> Answer {
    let systems = host.systems
    let answer = try body(systems.agents)
    if host.unreadiness == nil { try await host.settle(systems) }
    return answer
  }

  /// Checks that the agents of a path's owner are here.
  func checkOwner(_ call: AdmittedRequest) throws(ServiceProblem) {
    let owner = call.path["owner"]
    guard owner.utf8.elementsEqual(host.options.owner.utf8) else {
      throw ServiceProblem(
        404, "unknown-owner",
        "unknown owner \"\(owner)\"; the agents here are those of \"\(host.options.owner)\"")
    }
  }

  /// Returns the session of a call that needs one: a fresh one if the client names none.
  func session(_ parameters: AgentParameters) throws(ServiceProblem) -> String {
    try parameters.session ?? host.options.surroundings.ids.next()
  }

  /// Returns an answer as JSON. Goals have their accepted value also as `value`, which clients of the first version of
  /// the interface require.
  func json(_ answer: AgentAnswer, explained: Bool) -> JSONValue {
    guard var object = answer.json(explained: explained).object else { return .null }
    switch answer {
    case .goal(let reply): object["value"] = .number(reply.reward)
    case .decision(let reply), .decisions(let reply):
      if explained, let name = host.systems.agents.definition(of: reply.agent)?.name {
        object["agentName"] = .string(name)
      }
    default: break
    }
    return .object(object)
  }
}
