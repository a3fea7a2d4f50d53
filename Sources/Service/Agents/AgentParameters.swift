internal import DecidingAgents
internal import DecidingCore
internal import Events
internal import Specifications

/// The parameters of a call to the agents, from the JSON object or the form of the body, the query, and the header
/// fields; the first that has a parameter wins.
struct AgentParameters: Sendable {
  /// A parameter of a query or a form.
  typealias Pair = (name: String, value: String)

  /// The list of a body; nil if it is not a list.
  private(set) var list: [JSONValue]?
  /// The parameters: texts unless they are from a JSON body.
  private(set) var members = JSONObject()
  private let fields: HeaderFields

  /// The names of parameters that are also read from the header fields `x-mpath-NAME`.
  private static let headers = [
    "session", "point", "status", "reward", "segment", "features", "ip", "ua", "referer",
  ]

  /// Reads the parameters of a request, whose body may be a list where the route takes one.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - names: The names that a JSON body may have beside the key; nil for any. Forms and queries may have any, since
  ///     browsers and the libraries of clients add to them.
  ///   - takesList: Whether the body may be a list.
  /// - Throws: ``ServiceProblem`` with status 400 if the query or the body cannot be read.
  init(
    _ request: ServiceRequest, among names: [String]?, takesList: Bool = false
  ) throws(ServiceProblem) {
    fields = request.fields
    for name in Self.headers { members[name] = fields["x-mpath-" + name].map { .string($0) } }
    let query = try Self.pairs(request.parameters, of: "query")
    add(query)
    switch try AgentBody(request, isJSON: query.contains { $0.name == "_type" && $0.value == "json" }) {
    case .none: break
    case .form(let form): add(form)
    case .json(.object(let object)): try add(object, among: names)
    case .json(.array(let values)) where takesList: list = values.elements
    case .json(let value):
      throw ServiceProblem(400, "invalid-body", "the body must be an object, not \(value.kindName)")
    }
  }

  /// Creates the parameters of an item of a batch: its members, then those of its `query`, then those of the request.
  init(item: JSONObject, of batch: AgentParameters, among names: [String]?) throws(ServiceProblem) {
    self = batch
    if let query = item["query"]?.object { try add(query, among: names) }
    try add(item.with("query", nil), among: names)
  }

  private mutating func add(_ pairs: [Pair]) {
    for pair in pairs.reversed() { members[pair.name] = .string(pair.value) }
  }

  private mutating func add(_ object: JSONObject, among names: [String]?) throws(ServiceProblem) {
    for member in object.members {
      if let names, !names.contains(member.name), !GivenKey.parameters.contains(member.name) {
        let remedy = NearestName.remedy(for: member.name, among: names, lead: "it takes")
        throw Self.problem(member.name, "is not known here\(remedy)")
      }
      if member.value != .null { members[member.name] = member.value }
    }
  }

  /// Returns decoded parameters.
  ///
  /// - Throws: ``ServiceProblem`` if one of them could not be decoded.
  static func pairs(
    _ parameters: [FormParameters.Element], of place: String
  ) throws(ServiceProblem) -> [Pair] {
    var pairs: [Pair] = []
    for parameter in parameters {
      guard let name = parameter.name, let value = parameter.value else {
        throw ServiceProblem(
          400, "invalid-\(place)",
          "the \(place) has a malformed escape\(parameter.name.map { " in \"\($0)\"" } ?? ""); "
            + "encode it as UTF-8")
      }
      pairs.append((name, value))
    }
    return pairs
  }

  // MARK: Values

  /// Returns the problem of a parameter.
  static func problem(_ name: String, _ reason: String) -> ServiceProblem {
    ServiceProblem(400, "invalid-parameter", "the parameter \"\(name)\" \(reason)")
  }

  /// Reads the parameters.
  func read<Value>(
    _ read: (WireReader) throws(WireProblem) -> Value
  ) throws(ServiceProblem) -> Value {
    do throws(WireProblem) {
      return try read(WireReader(.object(members)))
    } catch {
      throw Self.problem(error.path, error.reason)
    }
  }

  /// Returns a parameter; nil if no source has it.
  func optional<Value>(_ name: String, _ kind: WireKind<Value>) throws(ServiceProblem) -> Value? {
    try read { (reader) throws(WireProblem) in try reader.optional(name).map(kind.read) }
  }

  /// Sets a parameter that no source has.
  mutating func complete(_ name: String, _ value: String) {
    if (members[name] ?? "") == "" { members[name] = .string(value) }
  }

  /// The session; nil if the client names none, or leaves it empty.
  var session: String? {
    get throws(ServiceProblem) { try optional("session", Wire.session).flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// Whether the answer says everything else.
  var isExplained: Bool { get throws(ServiceProblem) { try optional("explain", Wire.flag) ?? false } }

  /// Returns the request of a decision.
  func decision(
    agent: String, slots: [SlotChoices]?, session: String?
  ) throws(ServiceProblem) -> DecisionRequest {
    var request = try read(DecisionRequest.table.read)
    (request.agent, request.slots, request.session) = (agent, slots, session)
    return try completed(request)
  }

  /// Adds what header fields say of the visitor, which rules can read as `input:ua`, `input:ip` and `input:referer`,
  /// and which is recorded only where a definition lists it.
  private func completed(_ request: DecisionRequest) throws(ServiceProblem) -> DecisionRequest {
    var request = request
    let program = try optional("ua", Wire.word) ?? fields["user-agent"]
    for name in ["ip", "ua", "referer"] where request.inputs[name] == nil {
      request.inputs[name] = try optional(name, Wire.word).map { .string($0) }
    }
    if program.map(BotPatterns.matches) == true { request.visitor.isBot = true }
    if fields["dnt"] == "1" { request.visitor.doNotTrack = true }
    return request
  }

  /// Returns the call of an item of a batch. A goal of the reserved agent is one of every agent.
  func call() throws(ServiceProblem) -> AgentCall {
    let item = WireReader(.object(members["agent"] == "-" ? members.with("agent", nil) : members))
    let call: AgentCall
    do throws(WireProblem) {
      call = try AgentCall(item, query: item)
    } catch {
      let isOfItem = ["agent", "type"].contains(error.path)
      throw isOfItem
        ? ServiceProblem(400, "invalid-item", "the \(error.path) of an item \(error.reason)")
        : Self.problem(error.path, error.reason)
    }
    return switch call {
    case .decision(let request): .decision(try completed(request))
    case .decisions(let request): .decisions(try completed(request))
    default: call
    }
  }
}
