internal import DecidingCore
public import Events

// JSON of answers. An explained answer round-trips, except for the order of features, which an object does not
// preserve.

extension AgentAnswer {
  /// Returns the answer as JSON.
  ///
  /// - Parameter explained: Whether to add everything else, such as reasons and propensities, so that a
  ///   remote client gets the same information as an in-process one.
  /// - Returns: An object.
  public func json(explained: Bool = false) -> JSONValue {
    switch self {
    case .decision(let reply): .object(reply.single(explained: explained))
    case .decisions(let reply): .object(reply.multi(explained: explained))
    case .goal(let reply): .object(reply.json(explained: explained))
    case .expired(let agent, let session):
      ["agent": .string(agent), "session": .string(session), "expired": true]
    case .paused(let agent, let choice, let sessions):
      Self.control(["agent": .string(agent), "paused": .string(choice)], sessions)
    case .resumed(let agent, let sessions):
      Self.control(["agent": .string(agent), "resumed": true], sessions)
    }
  }

  private static func control(_ object: JSONObject, _ sessions: [String]?) -> JSONValue {
    .object(object.with("sessions", sessions.map { .array($0.map { .string($0) }) }))
  }

  init(_ json: JSONValue, to call: AgentCall) throws(AgentError) {
    do throws(WireProblem) {
      let reader = try WireReader(json).object()
      switch call {
      case .decision(let request): self = .decision(try DecisionReply(single: reader, to: request))
      case .decisions(let request): self = .decisions(try DecisionReply(multi: reader, to: request))
      case .goal(let request): self = .goal(try GoalReply(reader, to: request))
      case .expire(let agent, let session):
        try reader.confirm("expired")
        self = .expired(agent: agent, session: session)
      case .pause(let agent, _, let sessions):
        self = .paused(agent: agent, choice: try reader.required("paused").text(), sessions: sessions)
      case .resume(let agent, let sessions):
        try reader.confirm("resumed")
        self = .resumed(agent: agent, sessions: sessions)
      }
    } catch {
      throw .invalidReply((error.path.isEmpty ? "it" : "\"\(error.path)\"") + " \(error.reason)")
    }
  }
}

extension WireReader where Problem == WireProblem {
  fileprivate func confirm(_ name: String) throws(WireProblem) {
    let member = try required(name)
    guard member.value == true else { throw member.problem("must be true") }
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
      self = .batch(
        zip(calls, entries).map { call, entry in
          Result { () throws(AgentError) in
            if let refusal = entry["err"] { throw .service(refusal.string ?? refusal.description) }
            return try AgentAnswer(entry["data"] ?? .null, to: call)
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
    guard let decision = decisions.first else { return ["session": .string(session)] }
    guard explained else { return ["session": .string(session), "decision": .string(decision.code)] }
    var object = Self.explained.members(of: self)
    for member in AgentDecision.explained.members(of: decision).members { object[member.name] = member.value }
    (object["code"], object["decision"]) = (nil, object["code"])
    object["slot"] = .string(decision.slot)
    return object
  }

  fileprivate func multi(explained: Bool) -> JSONObject {
    let table = explained ? AgentDecision.explained : AgentDecision.plain
    var object = (explained ? Self.explained : Self.plain).members(of: self)
    object["decisions"] = .object(
      JSONObject(decisions.map { .init(name: $0.slot, value: table.write($0)) }))
    object["policy"] = .string(policy.rawValue)
    // A JSON object does not preserve the order of the slots.
    if explained { object["slots"] = .array(decisions.map { .string($0.slot) }) }
    return object
  }

  fileprivate init(single reader: WireReader, to request: DecisionRequest) throws(WireProblem) {
    try self.init(reader, to: request)
    let slot = reader.value["slot"]?.string ?? request.slots?.first?.slot ?? SlotID.standard.rawValue
    let code = try reader.required("decision").text()
    let members = (reader.value.object ?? [:]).with("code", .string(code))
    decisions = [try Self.decision(WireReader(.object(members)), slot)]
  }

  fileprivate init(multi reader: WireReader, to request: DecisionRequest) throws(WireProblem) {
    try self.init(reader, to: request)
    let slots = try reader.required("decisions").object()
    let listed = reader.value["slots"]?.array?.compactMap(\.string) ?? []
    let asked = request.slots?.map(\.slot) ?? []
    let order = listed.isEmpty ? asked + (try slots.members().names.filter { !asked.contains($0) }) : listed
    for slot in order {
      guard let member = slots.member(slot), member.value.object != nil else { continue }
      decisions.append(try Self.decision(member, slot))
    }
  }

  private init(_ reader: WireReader, to request: DecisionRequest) throws(WireProblem) {
    let point = request.point ?? PointID.standard.rawValue
    let expected = DecisionReply(agent: request.agent, session: "", point: point, decisions: [])
    self = try Self.explained.read(reader, onto: expected)
  }

  private static func decision(_ reader: WireReader, _ slot: String) throws(WireProblem) -> AgentDecision {
    try AgentDecision.explained.read(reader, onto: AgentDecision(slot: slot, code: "", reason: .default))
  }
}

extension GoalReply {
  fileprivate func json(explained: Bool) -> JSONObject {
    let object = Self.table.members(of: self)
    guard agent == nil else { return object }
    let accepted = JSONObject(rewards.map { .init(name: $0.agent, value: .number($0.reward)) })
    guard explained else {
      return ["session": .string(session), "goal": .string(goal), "rewards": .object(accepted)]
    }
    let refusals = JSONObject(
      rewards.compactMap { reward in
        reward.refusal.map { .init(name: reward.agent, value: .string($0.rawValue)) }
      })
    return object.with("rewards", .object(accepted)).with("refusals", .object(refusals))
  }

  fileprivate init(_ reader: WireReader, to request: GoalRequest) throws(WireProblem) {
    self = try Self.table.read(reader)
    agent = request.agent
    guard agent == nil else {
      _ = try reader.required("reward").number()
      return
    }
    let refusals = reader.value["refusals"]?.object ?? [:]
    rewards = try reader.required("rewards").members().members.map {
      AgentReward(
        agent: $0.name, reward: $0.value.number ?? 0,
        refusal: refusals[$0.name]?.string.flatMap(GoalRefusal.init))
    }
    // The plain form omits the accepted value.
    guard reader.member("reward") == nil else { return }
    reward = rewards.reduce(0) { $0 + $1.reward }
    accepted = rewards.contains { $0.reward != 0 }
  }
}
