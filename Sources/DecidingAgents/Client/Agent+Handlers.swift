public import Events

// The calls of an agent for code that does not wait: each calls its handler exactly once, when the
// call of the same name has returned. Calls that do not wait for the handlers of one another can
// reach the service in any order.

extension Agent {
  /// Requests one of the choices, as
  /// ``decision(choices:at:default:status:allowed:excluding:segment:features:traits:inputs:visitor:)``
  /// does, and passes it to the handler.
  public func decision(
    choices: some ChoiceList, at point: String? = nil, default: String? = nil,
    status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], visitor: AgentVisitor = AgentVisitor(),
    completionHandler: @escaping @Sendable (AgentChoice) -> Void
  ) {
    Task {
      completionHandler(
        await decision(
          choices: choices, at: point, default: `default`, status: status, allowed: allowed,
          excluding: excluding, segment: segment, features: features, traits: traits,
          inputs: inputs, visitor: visitor))
    }
  }

  /// Requests one of the choices last used at the point, as ``decision(at:default:)`` does, and
  /// passes it, or the error when there is no fallback, to the handler.
  public func decision(
    at point: String? = nil, default: String? = nil,
    completionHandler: @escaping @Sendable (Result<AgentChoice, AgentError>) -> Void
  ) {
    Task {
      do throws(AgentError) {
        completionHandler(.success(try await decision(at: point, default: `default`)))
      } catch {
        completionHandler(.failure(error))
      }
    }
  }

  /// Requests a choice for each slot, as
  /// ``decisions(choices:at:default:status:allowed:excluding:segment:features:traits:inputs:visitor:)``
  /// does, and passes them to the handler.
  public func decisions(
    choices: String? = nil, at point: String? = nil, default: String? = nil,
    status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], visitor: AgentVisitor = AgentVisitor(),
    completionHandler: @escaping @Sendable (AgentChoices) -> Void
  ) {
    Task {
      completionHandler(
        await decisions(
          choices: choices, at: point, default: `default`, status: status, allowed: allowed,
          excluding: excluding, segment: segment, features: features, traits: traits,
          inputs: inputs, visitor: visitor))
    }
  }

  /// Reports a goal, as ``goal(_:reward:)`` does, and passes the reply to the handler.
  public func goal(
    _ goal: String? = nil, reward: Double? = nil,
    completionHandler: @escaping @Sendable (GoalReply) -> Void
  ) {
    Task { completionHandler(await self.goal(goal, reward: reward)) }
  }

  /// Ends the session with this agent, as ``expireSession()`` does, and passes nil, or the error,
  /// to the handler.
  public func expireSession(completionHandler: @escaping @Sendable (AgentError?) -> Void) {
    Task {
      do throws(AgentError) {
        try await expireSession()
        completionHandler(nil)
      } catch {
        completionHandler(error)
      }
    }
  }
}

extension AgentClient {
  /// Reports a goal to every agent with a decision for the session, as ``goal(_:reward:)`` does,
  /// and passes the reply to the handler.
  public func goal(
    _ code: String? = nil, reward: Double? = nil,
    completionHandler: @escaping @Sendable (GoalReply) -> Void
  ) {
    Task { completionHandler(await goal(code, reward: reward)) }
  }
}
