internal import DecidingCore
package import Events

extension DecisionRequest {
  /// The parameters, named as in a URL.
  package static let table = WireTable(
    DecisionRequest(agent: ""), others: .ignored,
    [
      .optional("session", \.session, Wire.session),
      .optional("point", \.point, Wire.word.described("The point in the app; point-1 by default")),
      .field("status", \.status, Wire.status.described("ok, or p for a provisional decision")),
      .optional("segment", \.segment, Wire.word.described("The segment of the visitor")),
      .field("features", \.features, Wire.features.described("Features of the visitor: name:0.33,other")),
      .field("traits", \.traits, Wire.traits.described("Traits of the visitor: key:value,key:value")),
      .field(
        "inputs", \.inputs,
        .members.orJSON.described("Values that rules and policies read, recorded as the context, as a JSON object")),
      .field(
        "choiceFeatures", \.choiceFeatures,
        Wire.map(of: .members).orJSON.described("Attributes of choices by their codes, recorded, as a JSON object")),
      .optional("allowed", \.allowed, Wire.codes.described("The only choices that are permitted")),
      .field("excluding", \.excluding, Wire.codes.described("Choices that are not permitted")),
      .field(
        "bot", \.visitor.isBot, Wire.flag.described("1 for a program, for which nothing is recorded")),
      .field(
        "dnt", \.visitor.doNotTrack, Wire.flag.described("1 for a visitor who opted out of tracking")),
    ])
}

extension GoalRequest {
  /// The parameters, named as in a URL.
  package static let table = WireTable(
    GoalRequest(agent: nil, session: ""), others: .ignored,
    [
      .required("session", \.session, Wire.session),
      .optional("goal", \.goal, Wire.word.described("The goal, if the path has none; goal-1 by default")),
      .optional("reward", \.reward, Wire.number.described("The value; that of the goal by default")),
    ])
}

// A call as an item of a batch: `{"agent":"shop","type":"decision","choices":"a,b","query":{"session":"s-42"}}`, where
// `query` has the parameters of a URL.

extension AgentCall {
  private enum Kind: String, CaseIterable {
    case decision, decisions, goal, expire, pause, resume
  }

  /// Reads a call.
  ///
  /// - Parameters:
  ///   - item: The members of an item.
  ///   - query: Its parameters; those of `query` by default.
  /// - Throws: ``WireProblem`` with the path of the member that is missing or invalid.
  package init(_ item: WireReader, query: WireReader? = nil) throws(WireProblem) {
    let query = query ?? item.optional("query") ?? WireReader([:], at: "query")
    func agent() throws(WireProblem) -> String { try Wire.word.read(item.required("agent")) }
    func sessions() throws(WireProblem) -> [String]? {
      try item.optional("sessions").map(Wire.codes.read)
    }
    let kind = try item.required("type").word(Kind.self)
    switch kind {
    case .decision, .decisions:
      var request = try DecisionRequest.table.read(query)
      request.agent = try agent()
      if kind == .decision {
        request.slots = try item.member("choices").map(Wire.choices.read) ?? [SlotChoices(choices: nil)]
        self = .decision(request)
      } else {
        request.slots = try item.optional("choices").map(Wire.slotChoices.read)
        self = .decisions(request)
      }
    case .goal:
      var request = try GoalRequest.table.read(query)
      request.agent = try item.optional("agent").map(Wire.word.read)
      request.goal = try item.optional("goal").map(Wire.word.read)
      self = .goal(request)
    case .expire:
      self = .expire(agent: try agent(), session: try Wire.word.read(query.required("session")))
    case .pause:
      self = .pause(
        agent: try agent(), choice: try Wire.word.read(item.required("choice")), sessions: try sessions())
    case .resume: self = .resume(agent: try agent(), sessions: try sessions())
    }
  }

  /// The call as an item, which is read back as an equal value.
  package var json: JSONObject {
    switch self {
    case .decision(let request), .decisions(let request):
      let kind = if case .decision = self { Kind.decision } else { Kind.decisions }
      let choices = request.slots.flatMap((kind == .decision ? Wire.choices : Wire.slotChoices).write)
      return Self.item(kind, request.agent, ["query": DecisionRequest.table.write(request)])
        .with("choices", choices)
    case .goal(let request):
      var query = GoalRequest.table.members(of: request)
      query["goal"] = nil
      return Self.item(.goal, request.agent, ["query": .object(query)])
        .with("goal", request.goal.map { .string($0) })
    case .expire(let agent, let session):
      return Self.item(.expire, agent, ["query": ["session": .string(session)]])
    case .pause(let agent, let choice, let sessions):
      return Self.item(.pause, agent, ["choice": .string(choice)], sessions)
    case .resume(let agent, let sessions): return Self.item(.resume, agent, [:], sessions)
    }
  }

  private static func item(
    _ kind: Kind, _ agent: String?, _ members: JSONObject, _ sessions: [String]? = nil
  ) -> JSONObject {
    members.with("type", .string(kind.rawValue)).with("agent", agent.map { .string($0) })
      .with("sessions", sessions.map { .array($0.map { .string($0) }) })
  }
}

extension AgentCall: Codable {
  /// Decodes an item of a batch.
  ///
  /// - Throws: `DecodingError`, with the path of the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(JSONValue.self)
    do throws(WireProblem) {
      try self.init(WireReader(json))
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath + [PathKey(stringValue: error.path)], debugDescription: error.reason))
    }
  }

  private struct PathKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes an item of a batch, which decodes to an equal value.
  public func encode(to encoder: any Encoder) throws { try JSONValue.object(json).encode(to: encoder) }
}

extension AgentRequest: Codable {
  private enum Key: String, CodingKey {
    case owner, apikey, call, batch
  }

  /// Decodes `{"owner":"acme","apikey":"…","call":{…}}`, or `batch` with a list of calls.
  ///
  /// - Throws: `DecodingError`, with the path of the member that is missing or has the wrong type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    owner = try container.decode(String.self, forKey: .owner)
    apiKey = try container.decodeIfPresent(String.self, forKey: .apikey) ?? ""
    body =
      if let calls = try container.decodeIfPresent([AgentCall].self, forKey: .batch) {
        .batch(calls)
      } else {
        .call(try container.decode(AgentCall.self, forKey: .call))
      }
  }

  /// Encodes the request, which decodes to an equal value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(owner, forKey: .owner)
    if !apiKey.isEmpty { try container.encode(apiKey, forKey: .apikey) }
    switch body {
    case .call(let call): try container.encode(call, forKey: .call)
    case .batch(let calls): try container.encode(calls, forKey: .batch)
    }
  }
}
