internal import Events

extension AgentCall: Codable {
  private enum Key: String, CodingKey {
    case agent, type, choices, goal, choice, sessions, query
  }

  private enum Kind: String, Codable {
    case decision, decisions, goal, expire, pause, resume
  }

  /// Decodes an entry of a batch:
  /// `{"agent":"shop","type":"decision","choices":"a,b","query":{"session":"s-42"}}`, where `query` has the
  /// parameters of a URL.
  ///
  /// - Throws: `DecodingError`, with the path of the member that is missing or has the wrong type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let query = try container.decodeIfPresent(Query.self, forKey: .query) ?? Query()
    func agent() throws -> String { try container.decode(String.self, forKey: .agent) }
    switch try container.decode(Kind.self, forKey: .type) {
    case .decision:
      let slots =
        container.contains(.choices)
        ? try WireChoices.single(from: container.superDecoder(forKey: .choices))
        : [SlotChoices(choices: nil)]
      self = .decision(query.decision(try agent(), slots))
    case .decisions:
      let slots =
        container.contains(.choices)
        ? try WireChoices.multi(from: container.superDecoder(forKey: .choices)) : nil
      self = .decisions(query.decision(try agent(), slots))
    case .goal:
      self = .goal(
        GoalRequest(
          agent: try container.decodeIfPresent(String.self, forKey: .agent),
          session: try query.required(decoder.codingPath),
          goal: try container.decodeIfPresent(String.self, forKey: .goal),
          reward: query.reward?.number))
    case .expire:
      self = .expire(agent: try agent(), session: try query.required(decoder.codingPath))
    case .pause:
      self = .pause(
        agent: try agent(), choice: try container.decode(String.self, forKey: .choice),
        sessions: try container.decodeIfPresent([String].self, forKey: .sessions))
    case .resume:
      self = .resume(
        agent: try agent(),
        sessions: try container.decodeIfPresent([String].self, forKey: .sessions))
    }
  }

  /// Encodes an entry of a batch, which decodes to an equal value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .decision(let request), .decisions(let request):
      let isSingle = if case .decision = self { true } else { false }
      try container.encode(isSingle ? Kind.decision : .decisions, forKey: .type)
      try container.encode(request.agent, forKey: .agent)
      if let slots = request.slots {
        let choices = container.superEncoder(forKey: .choices)
        try isSingle
          ? WireChoices.encode(single: slots, to: choices)
          : WireChoices.encode(multi: slots, to: choices)
      }
      try container.encode(Query(request), forKey: .query)
    case .goal(let request):
      try container.encode(Kind.goal, forKey: .type)
      try container.encodeIfPresent(request.agent, forKey: .agent)
      try container.encodeIfPresent(request.goal, forKey: .goal)
      try container.encode(
        Query(session: request.session, reward: request.reward.map(WireNumber.init)), forKey: .query
      )
    case .expire(let agent, let session):
      try container.encode(Kind.expire, forKey: .type)
      try container.encode(agent, forKey: .agent)
      try container.encode(Query(session: session), forKey: .query)
    case .pause(let agent, let choice, let sessions):
      try container.encode(Kind.pause, forKey: .type)
      try container.encode(agent, forKey: .agent)
      try container.encode(choice, forKey: .choice)
      try container.encodeIfPresent(sessions, forKey: .sessions)
    case .resume(let agent, let sessions):
      try container.encode(Kind.resume, forKey: .type)
      try container.encode(agent, forKey: .agent)
      try container.encodeIfPresent(sessions, forKey: .sessions)
    }
  }
}

/// The parameters of a call, named as in a URL.
private struct Query: Codable {
  var session: String?
  var reward: WireNumber?
  var point: String?
  var status: WireStatus?
  var segment: String?
  var features: WireFeatures?
  var traits: WireTraits?
  var inputs: JSONValue?
  var choiceFeatures: [String: JSONValue]?
  var allowed: WireCodes?
  var excluding: WireCodes?
  var bot: Bool?
  var dnt: Bool?

  init(session: String? = nil, reward: WireNumber? = nil) {
    self.session = session
    self.reward = reward
  }

  /// Creates the parameters, omitting those with default values.
  init(_ request: DecisionRequest) {
    session = request.session
    point = request.point
    status = request.status == .provisional ? WireStatus(status: .provisional) : nil
    segment = request.segment
    features = request.features.isEmpty ? nil : WireFeatures(request.features)
    traits = request.traits.isEmpty ? nil : WireTraits(request.traits)
    inputs = request.inputs.isEmpty ? nil : .object(request.inputs)
    choiceFeatures =
      request.choiceFeatures.isEmpty ? nil : request.choiceFeatures.mapValues { .object($0) }
    allowed = request.allowed.map(WireCodes.init)
    excluding = request.excluding.isEmpty ? nil : WireCodes(request.excluding)
    bot = request.visitor.isBot ? true : nil
    dnt = request.visitor.doNotTrack ? true : nil
  }

  func decision(_ agent: String, _ slots: [SlotChoices]?) -> DecisionRequest {
    DecisionRequest(
      agent: agent, session: session, point: point, slots: slots,
      status: status?.status ?? .confirmed, allowed: allowed?.codes,
      excluding: excluding?.codes ?? [], segment: segment, features: features?.features ?? [],
      traits: traits?.traits ?? [], inputs: inputs?.object ?? [:],
      choiceFeatures: choiceFeatures?.compactMapValues(\.object) ?? [:],
      visitor: AgentVisitor(isBot: bot ?? false, doNotTrack: dnt ?? false))
  }

  func required(_ path: [any CodingKey]) throws -> String {
    guard let session else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "must name its session in query.session"))
    }
    return session
  }
}

/// A status as `ok` or `p`, or as the full word.
private struct WireStatus: Codable {
  var status: DecisionRequest.Status

  init(status: DecisionRequest.Status) { self.status = status }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    switch text {
    case "ok", "confirmed": status = .confirmed
    case "p", "provisional": status = .provisional
    default:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "must be ok or p, not \"\(text)\"")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(status == .confirmed ? "ok" : "p")
  }
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
