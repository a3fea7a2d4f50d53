internal import DecidingCore
internal import Events

extension AgentReply {
  /// Parses the text of a reply to the request, whatever its HTTP status.
  ///
  /// - Throws: ``AgentError/invalidReply(_:)`` when the text is not the JSON that the request expects;
  ///   ``AgentError/service(_:)`` when it has `err`.
  public init(parsing text: String, to request: AgentRequest) throws(AgentError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw .invalidReply("\(error)")
    }
    if let refusal = json["err"] { throw .service(refusal.string ?? refusal.description) }
    switch request.body {
    case .call(let call): self = .answer(try AgentAnswer(json, to: call))
    case .batch(let calls):
      guard let entries = json.array, entries.count == calls.count else {
        throw .invalidReply("a batch of \(calls.count) needs a list of as many answers")
      }
      self = .batch(zip(calls, entries).map { Self.result($1, to: $0) })
    }
  }

  private static func result(_ json: JSONValue, to call: AgentCall)
    -> Result<AgentAnswer, AgentError>
  {
    if let refusal = json["err"] {
      return .failure(.service(refusal.string ?? refusal.description))
    }
    do throws(AgentError) {
      return .success(try AgentAnswer(json["data"] ?? .null, to: call))
    } catch {
      return .failure(error)
    }
  }
}

extension AgentAnswer {
  init(_ json: JSONValue, to call: AgentCall) throws(AgentError) {
    guard let object = json.object else {
      throw .invalidReply("must be an object, not \(json.kindName)")
    }
    let fields = ReplyFields(object: object)
    switch call {
    case .decision(let request): self = .decision(try fields.decision(request))
    case .decisions(let request): self = .decisions(try fields.decisions(request))
    case .goal(let request): self = .goal(try fields.goal(request))
    case .expire(let agent, let session):
      guard object["expired"]?.boolean == true else { throw fields.lacks("expired") }
      self = .expired(agent: agent, session: session)
    case .pause(let agent, _, let sessions):
      self = .paused(agent: agent, choice: try fields.text("paused"), sessions: sessions)
    case .resume(let agent, let sessions):
      guard object["resumed"]?.boolean == true else { throw fields.lacks("resumed") }
      self = .resumed(agent: agent, sessions: sessions)
    }
  }
}

/// The members of a reply.
private struct ReplyFields {
  let object: JSONObject

  func lacks(_ name: String) -> AgentError {
    guard let value = object[name] else { return .invalidReply("it has no \"\(name)\"") }
    return .invalidReply("\"\(name)\" cannot be \(value.kindName)")
  }

  func text(_ name: String) throws(AgentError) -> String {
    guard let text = object[name]?.string else { throw lacks(name) }
    return text
  }

  private func texts(_ name: String) -> [String] {
    object[name]?.array?.compactMap(\.string) ?? []
  }

  func decision(_ request: DecisionRequest) throws(AgentError) -> DecisionReply {
    let slot = object["slot"]?.string ?? request.slots?.first?.slot ?? SlotID.standard.rawValue
    return try reply(to: request, [decision(slot, code: try text("decision"))])
  }

  func decisions(_ request: DecisionRequest) throws(AgentError) -> DecisionReply {
    guard let slots = object["decisions"]?.object else { throw lacks("decisions") }
    let listed = texts("slots")
    let asked = request.slots?.map(\.slot) ?? []
    let order = listed.isEmpty ? asked + slots.names.filter { !asked.contains($0) } : listed
    var decisions: [AgentDecision] = []
    for slot in order {
      guard let fields = slots[slot]?.object.map(ReplyFields.init) else { continue }
      decisions.append(fields.decision(slot, code: try fields.text("code")))
    }
    return try reply(to: request, decisions)
  }

  private func reply(to request: DecisionRequest, _ decisions: [AgentDecision]) throws(AgentError)
    -> DecisionReply
  {
    let features = object["features"]?.object?.members ?? []
    return DecisionReply(
      agent: object["agent"]?.string ?? request.agent, session: try text("session"),
      point: object["point"]?.string ?? request.point ?? PointID.standard.rawValue,
      decisions: decisions, segment: object["segment"]?.string,
      features: features.map { AgentFeature($0.name, weight: $0.value.number ?? 1) },
      traits: texts("traits"), warnings: texts("warnings"),
      isNewSession: object["isNewSession"]?.boolean ?? false)
  }

  private func decision(_ slot: String, code: String) -> AgentDecision {
    let word = object["policy"]?.string.flatMap(PolicyWord.init)
    let reason = object["reason"]?.string.flatMap(Reason.init) ?? word?.obviousReason ?? .default
    let status = EventStatus.allCases.first { $0.name == object["status"]?.string } ?? .confirmed
    return AgentDecision(
      slot: slot, code: code, choices: texts("choices"), reason: reason, status: status,
      propensity: object["propensity"]?.number,
      probabilities: object["probabilities"]?.array?.compactMap(\.number),
      policyName: object["policyName"]?.string, name: object["name"]?.string,
      meta: object["meta"]?.object ?? [:])
  }

  func goal(_ request: GoalRequest) throws(AgentError) -> GoalReply {
    let refusals = object["refusals"]?.object ?? [:]
    var rewards: [GoalReply.AgentReward] = []
    if request.agent == nil {
      guard let members = object["rewards"]?.object?.members else { throw lacks("rewards") }
      rewards = members.map {
        GoalReply.AgentReward(
          agent: $0.name, reward: $0.value.number ?? 0,
          refusal: refusals[$0.name]?.string.flatMap(GoalRefusal.init))
      }
    }
    // The plain form for every agent omits the accepted value.
    let reward = object["reward"]?.number ?? rewards.reduce(0) { $0 + $1.reward }
    guard request.agent == nil || object["reward"]?.number != nil else { throw lacks("reward") }
    return GoalReply(
      agent: request.agent, session: try text("session"), goal: try text("goal"), reward: reward,
      accepted: object["accepted"]?.boolean ?? rewards.contains { $0.reward != 0 },
      refusal: object["refused"]?.string.flatMap(GoalRefusal.init), rewards: rewards)
  }
}

extension PolicyWord {
  /// The most likely reason for the policy word, where a reply names none.
  fileprivate var obviousReason: Reason {
    switch self {
    case .none: .default
    case .paused: .paused
    case .random: .random
    case .fixed: .fixed
    case .adaptive: .adaptive
    case .control: .control
    case .sticky: .sticky
    case .bot: .bot
    }
  }
}
