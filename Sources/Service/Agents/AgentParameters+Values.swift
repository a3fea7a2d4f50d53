internal import DecidingAgents
internal import DecidingCore
internal import Events

extension AgentParameters {
  /// Returns the problem of a parameter.
  static func problem(_ name: String, _ reason: String) -> ServiceProblem {
    ServiceProblem(400, "invalid-parameter", "the parameter \"\(name)\" \(reason)")
  }

  /// Returns a text; a number in a JSON body is taken as its text.
  func text(_ name: String) throws(ServiceProblem) -> String? {
    switch self[name] {
    case nil: nil
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .some(let value): throw Self.problem(name, "must be a text, not \(value.kindName)")
    }
  }

  /// Returns a truth value: `true`, `1`, `false` or `0`.
  func flag(_ name: String) throws(ServiceProblem) -> Bool {
    switch self[name] {
    case nil, .boolean(false), .integer(0), .string("0"), .string("false"): false
    case .boolean(true), .integer(1), .string("1"), .string("true"): true
    default: throw Self.problem(name, "must be 1 or 0")
    }
  }

  /// Returns a decimal number.
  func number(_ name: String) throws(ServiceProblem) -> Double? {
    guard let value = self[name] else { return nil }
    if let number = value.number { return number }
    guard let text = value.string else {
      throw Self.problem(name, "must be a decimal number, not \(value.kindName)")
    }
    // `Double` also reads hexadecimal numbers, "nan" and "inf".
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let number = Double(text) else {
      throw Self.problem(name, "must be a decimal number, not \"\(text)\"")
    }
    return number
  }

  /// The session; nil if the client names none, or leaves it empty.
  var session: String? {
    get throws(ServiceProblem) {
      let session = try text("session")
      return session == "" ? nil : session
    }
  }

  /// Returns a list of codes: a text separated by commas, or a list.
  func codes(_ name: String) throws(ServiceProblem) -> [String]? {
    guard let value = self[name] else { return nil }
    return try decoded(name, value, as: WireCodes.self).codes
  }

  private var status: DecisionRequest.Status {
    get throws(ServiceProblem) {
      switch try text("status") {
      case nil, "ok", "confirmed": .confirmed
      case "p", "provisional": .provisional
      case .some(let text): throw Self.problem("status", "must be ok or p, not \"\(text)\"")
      }
    }
  }

  private var features: [AgentFeature] {
    get throws(ServiceProblem) {
      switch self["features"] {
      case nil: return []
      case .string(let text):
        guard let features = WireFeatures.features(text) else {
          throw Self.problem("features", "must be like name:0.33,other, not \"\(text)\"")
        }
        return features
      case .object(let object):
        var features: [AgentFeature] = []
        for member in object.members {
          guard let weight = member.value.number else {
            throw Self.problem("features", "must have numbers, not \(member.value.kindName)")
          }
          features.append(AgentFeature(member.name, weight: weight))
        }
        return features
      case .some(let value):
        return try decoded("features", value, as: WireFeatures.self).features
      }
    }
  }

  private var traits: [AgentTrait] {
    get throws(ServiceProblem) {
      switch self["traits"] {
      case nil: []
      case .string(let text): WireTraits.traits(text)
      case .some(let value): try decoded("traits", value, as: WireTraits.self).traits
      }
    }
  }

  /// The inputs, and what header fields say of the visitor, which rules can read as `input:ua`, `input:ip` and
  /// `input:referer`, and which are recorded only where a definition lists them.
  private var inputs: JSONObject {
    get throws(ServiceProblem) {
      var inputs = try self["inputs"].map { (value) throws(ServiceProblem) in
        try object("inputs", value)
      }
      for name in ["ip", "ua", "referer"] {
        guard let text = try text(name), inputs?[name] == nil else { continue }
        inputs = inputs ?? JSONObject()
        inputs?[name] = .string(text)
      }
      return inputs ?? JSONObject()
    }
  }

  private var choiceFeatures: [String: JSONObject] {
    get throws(ServiceProblem) {
      guard let value = self["choiceFeatures"] else { return [:] }
      var features: [String: JSONObject] = [:]
      for member in try object("choiceFeatures", value).members {
        guard let object = member.value.object else {
          throw Self.problem(
            "choiceFeatures",
            "must have an object of attributes for each choice, not \(member.value.kindName)")
        }
        features[member.name] = object
      }
      return features
    }
  }

  private func object(_ name: String, _ value: JSONValue) throws(ServiceProblem) -> JSONObject {
    var value = value
    if let text = value.string {
      do {
        value = try JSONValue(parsing: text)
      } catch {
        throw Self.problem(name, "is not JSON: \(error)")
      }
    }
    guard let object = value.object else {
      throw Self.problem(name, "must be an object, not \(value.kindName)")
    }
    return object
  }

  private var visitor: AgentVisitor {
    get throws(ServiceProblem) {
      let agent = try text("ua") ?? field("user-agent")
      let isBot = try flag("bot") || agent.map(BotPatterns.matches) ?? false
      return AgentVisitor(isBot: isBot, doNotTrack: try flag("dnt") || field("dnt") == "1")
    }
  }

  /// Returns the request of a decision.
  func decision(
    agent: String, slots: [SlotChoices]?, session: String?
  ) throws(ServiceProblem) -> DecisionRequest {
    DecisionRequest(
      agent: agent, session: session, point: try text("point"), slots: slots, status: try status,
      allowed: try codes("allowed"), excluding: try codes("excluding") ?? [],
      segment: try text("segment"), features: try features, traits: try traits,
      inputs: try inputs, choiceFeatures: try choiceFeatures, visitor: try visitor)
  }

  /// Returns a value of a JSON body, decoded.
  func decoded<Value: Decodable>(
    _ name: String, _ value: JSONValue, as type: Value.Type
  ) throws(ServiceProblem) -> Value {
    do {
      return try value.decoded(as: type)
    } catch let error as DecodingError {
      let reason = JSONValue.explanation(of: error)
      let root = "the root "
      throw Self.problem(
        name, reason.hasPrefix(root) ? String(reason.dropFirst(root.count)) : ": \(reason)")
    } catch {
      throw Self.problem(name, "cannot be read: \(error)")
    }
  }
}
