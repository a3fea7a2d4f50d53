internal import DecidingCore
public import Events

// JSON of answers. Members that a plain answer omits are read as their defaults; an explained answer
// round-trips, except for the order of features, which an object does not preserve.

extension AgentAnswer {
  /// Returns the answer as JSON.
  ///
  /// - Parameter explained: Whether to add everything else, such as reasons and propensities, so that a
  ///   remote client gets the same information as an in-process one.
  /// - Returns: An object.
  public func json(explained: Bool = false) -> JSONValue {
    switch self {
    case .decision(let reply): return .object(reply.single(explained: explained))
    case .decisions(let reply): return .object(reply.multi(explained: explained))
    case .goal(let reply): return .object(reply.json(explained: explained))
    case .expired(let agent, let session):
      return ["agent": .string(agent), "session": .string(session), "expired": true]
    case .paused(let agent, let choice, let sessions):
      return Self.control(agent, "paused", .string(choice), sessions)
    case .resumed(let agent, let sessions):
      return Self.control(agent, "resumed", true, sessions)
    }
  }

  private static func control(
    _ agent: String, _ name: String, _ value: JSONValue, _ sessions: [String]?
  ) -> JSONValue {
    var object: JSONObject = ["agent": .string(agent), name: value]
    if let sessions { object["sessions"] = .array(sessions.map { .string($0) }) }
    return .object(object)
  }
}

extension AgentReply {
  /// Returns the reply as JSON.
  ///
  /// - Parameter explained: Whether to add everything else, such as reasons and propensities.
  /// - Returns: An object, or a list for a batch.
  public func json(explained: Bool = false) -> JSONValue {
    switch self {
    case .answer(let answer): answer.json(explained: explained)
    case .batch(let results):
      .array(
        results.map { result in
          switch result {
          case .success(let answer): ["data": answer.json(explained: explained)]
          case .failure(let error):
            ["data": .null, "err": .string(error.refusal), "code": .string(error.word)]
          }
        })
    }
  }
}

extension AgentError {
  /// The JSON answer to a failed call: `{"err":"…","code":"invalid-code"}`.
  public var json: JSONValue { ["err": .string(refusal), "code": .string(word)] }

  /// The message without the prefix "the service refused", which the client adds.
  fileprivate var refusal: String {
    if case .service(let reason) = self { reason } else { description }
  }
}

extension DecisionReply {
  fileprivate func single(explained: Bool) -> JSONObject {
    var object: JSONObject = ["session": .string(session)]
    guard let decision = decisions.first else { return object }
    if explained {
      object = common
      object["slot"] = .string(decision.slot)
      for member in decision.json(explained: true).members { object[member.name] = member.value }
      object["code"] = nil
    }
    object["decision"] = .string(decision.code)
    return object
  }

  fileprivate func multi(explained: Bool) -> JSONObject {
    var object = common
    var slots = JSONObject()
    for decision in decisions {
      slots[decision.slot] = .object(decision.json(explained: explained))
    }
    object["decisions"] = .object(slots)
    object["policy"] = .string(policy.rawValue)
    if explained {
      // A JSON object does not preserve the order of the slots.
      object["slots"] = .array(decisions.map { .string($0.slot) })
    } else {
      for name in ["warnings", "isNewSession"] { object[name] = nil }
    }
    return object
  }

  private var common: JSONObject {
    var object: JSONObject = [
      "agent": .string(agent), "session": .string(session), "point": .string(point),
      "segment": segment.map { .string($0) } ?? .null,
      "features": .object(
        JSONObject(features.map { JSONObject.Member(name: $0.name, value: .number($0.weight)) })),
      "traits": .array(traits.map { .string($0) }),
    ]
    if !warnings.isEmpty { object["warnings"] = .array(warnings.map { .string($0) }) }
    if isNewSession { object["isNewSession"] = true }
    return object
  }
}

extension AgentDecision {
  fileprivate func json(explained: Bool) -> JSONObject {
    var object: JSONObject = [
      "code": .string(code), "policy": .string(policy.rawValue), "status": .string(status.name),
    ]
    guard explained else { return object }
    object["reason"] = .string(reason.rawValue)
    object["choices"] = .array(choices.map { .string($0) })
    if let propensity { object["propensity"] = .number(propensity) }
    if let probabilities { object["probabilities"] = .array(probabilities.map { .number($0) }) }
    if let policyName { object["policyName"] = .string(policyName) }
    if let name { object["name"] = .string(name) }
    if !meta.isEmpty { object["meta"] = .object(meta) }
    return object
  }
}

extension GoalReply {
  fileprivate func json(explained: Bool) -> JSONObject {
    var object: JSONObject = ["session": .string(session), "goal": .string(goal)]
    if let agent {
      object["agent"] = .string(agent)
    } else {
      object["rewards"] = .object(
        JSONObject(rewards.map { JSONObject.Member(name: $0.agent, value: .number($0.reward)) }))
    }
    if agent != nil || explained {
      object["reward"] = .number(reward)
      object["accepted"] = .boolean(accepted)
      if let refusal { object["refused"] = .string(refusal.rawValue) }
    }
    if agent == nil, explained {
      object["refusals"] = .object(
        JSONObject(
          rewards.compactMap { reward in
            reward.refusal.map { .init(name: reward.agent, value: .string($0.rawValue)) }
          }))
    }
    return object
  }
}
