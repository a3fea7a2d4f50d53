internal import DecidingAgents
internal import Events

// A call is a POST: even a decision changes what the service knows, so nothing on the way may
// repeat it or answer it from a cache. Choices are in the path where a path can have them exactly,
// all else in a JSON body.

/// A call as a path, a query and a body.
struct HTTPCall: Hashable, Sendable {
  /// The segments of the path after the owner, not yet encoded.
  var segments: [String]
  var query = ""
  var body: JSONValue

  /// The maximum size of choices in a path, since servers limit the size of the first line.
  static let pathLimit = 2_000

  /// Creates the call.
  ///
  /// - Throws: ``AgentError`` when the call has a code or a number that cannot be sent, and that no
  ///   service accepts.
  init(_ call: AgentCall) throws(AgentError) {
    let item = try Self.item(call)
    var body = item["query"]?.object ?? [:]
    switch call {
    case .decision(let request):
      segments = [request.agent, "decision"]
      query = "explain=1"
      let slots = request.slots ?? []
      Self.add(slots.isEmpty ? nil : item["choices"], to: &segments, &body) { text in
        // Digits alone are a number of choices there.
        ChoiceText(pathSegment: text)?.slots == slots ? [text] : nil
      } list: {
        Self.list(slots.flatMap { $0.choices ?? [] })
      }
    case .decisions(let request):
      segments = [request.agent, "decisions"]
      query = "explain=1"
      Self.add(item["choices"], to: &segments, &body) { text in
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
          .map { String(Substring($0)) }
      } list: {
        .array(
          (request.slots ?? []).map { ["slot": .string($0.slot), "choices": Self.list($0.choices ?? [])] })
      }
    case .goal(let request):
      segments = [request.agent ?? AgentCode.reserved, "goal"] + (request.goal.map { [$0] } ?? [])
      query = "explain=1"
    case .expire(let agent, _): segments = [agent, "expire"]
    case .pause(let agent, let choice, _):
      segments = [agent, "pause"]
      body["choice"] = .string(choice)
      body["sessions"] = item["sessions"]
    case .resume(let agent, _):
      segments = [agent, "resume"]
      body["sessions"] = item["sessions"]
    }
    self.body = .object(body)
  }

  /// Creates the call of a batch, of its items.
  init(batch items: [JSONObject]) {
    segments = [AgentCode.reserved, "batch"]
    query = "explain=1"
    body = .array(items.map { .object($0) })
  }

  /// Returns the call as an item of a batch, which has the parameters of a URL.
  ///
  /// - Throws: ``AgentError``, as ``init(_:)`` does.
  static func item(_ call: AgentCall) throws(AgentError) -> JSONObject {
    if !call.canBeSent { try call.check() }
    return call.json
  }

  // MARK: Choices

  /// Adds choices: as segments of the path if it can have them exactly, otherwise to the body.
  private static func add(
    _ choices: JSONValue?, to segments: inout [String], _ body: inout JSONObject,
    parts: (String) -> [String]?, list: () -> JSONValue
  ) {
    guard let choices, choices != .null else { return }
    guard let text = choices.string else {
      body["choices"] = choices
      return
    }
    if text.utf8.count <= pathLimit, let parts = parts(text), parts.allSatisfy({ PathSegment.isSegment($0) }) {
      segments += parts
    } else {
      body["choices"] = list()
    }
  }

  private static func list(_ codes: [String]) -> JSONValue { .array(codes.map { .string($0) }) }
}

extension AgentCall {
  /// Whether a service sees the call as it is. A path can have neither empty codes nor `.` and
  /// `..`, an empty session is taken for none, JSON has no NaN, and in the path of a goal the
  /// reserved code stands for every agent.
  fileprivate var canBeSent: Bool {
    switch self {
    case .decision(let request), .decisions(let request):
      PathSegment.isSegment(request.agent) && request.session != ""
    case .goal(let request):
      [request.agent, request.goal].allSatisfy { $0.map(PathSegment.isSegment) ?? true }
        && request.agent != AgentCode.reserved && request.session != ""
        && request.reward?.isFinite ?? true
    case .expire(let agent, let session): PathSegment.isSegment(agent) && session != ""
    case .pause(let agent, _, _), .resume(let agent, _): PathSegment.isSegment(agent)
    }
  }

  /// Throws the error that the service would have for the call, in the order of its checks.
  fileprivate func check() throws(AgentError) {
    switch self {
    case .decision(let request), .decisions(let request):
      try AgentCode.check(request.agent, role: .agent)
      if let session = request.session { try AgentCode.check(session, role: .session) }
    case .goal(let request):
      if let agent = request.agent { try AgentCode.check(agent, role: .agent) }
      try AgentCode.check(request.session, role: .session)
      if let goal = request.goal { try AgentCode.check(goal, role: .goal) }
      if let reward = request.reward, !reward.isFinite { throw .invalidReward(reward) }
    case .expire(let agent, let session):
      try AgentCode.check(agent, role: .agent)
      try AgentCode.check(session, role: .session)
    case .pause(let agent, let choice, let sessions):
      try AgentCode.check(choice, role: .choice)
      for session in sessions ?? [] { try AgentCode.check(session, role: .session) }
      try AgentCode.check(agent, role: .agent)
    case .resume(let agent, _): try AgentCode.check(agent, role: .agent)
    }
  }
}
