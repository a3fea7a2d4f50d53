internal import Events

extension AgentRule {
  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: ["code", "status", "agents", "conditions", "join", "applies"])
    let applies = try reader.required("applies")
    self.init(try reader.required("code").text(), then: try AgentEffect(reading: applies))
    isActive = try reader.value("status")?.word(RuleStatus.self) != .inactive
    agents = try reader.list("agents") { r throws(AgentError) in try r.text() } ?? agents
    join = try reader.value("join")?.word(Join.self) ?? join
    conditions =
      try reader.list("conditions") { r throws(AgentError) in try AgentCondition(reading: r) } ?? []
  }

  var json: JSONValue {
    var object: JSONObject = ["code": .string(code), "applies": effect.json]
    if !isActive { object["status"] = .string(RuleStatus.inactive.rawValue) }
    if agents != ["*"] { object["agents"] = .array(agents.map { .string($0) }) }
    if !conditions.isEmpty { object["conditions"] = .array(conditions.map(\.json)) }
    if join != .all { object["join"] = .string(join.rawValue) }
    return .object(object)
  }
}

/// The status of a rule in JSON.
private enum RuleStatus: String, CaseIterable {
  case active, inactive
}

extension AgentEffect {
  init(reading reader: DefinitionReader) throws(AgentError) {
    let object = try reader.object(keys: [
      "segment", "feature", "weight", "permitted", "fixed", "slot",
    ])
    let slot = try reader.value("slot")?.text()
    let effects = ["segment", "feature", "permitted", "fixed"].filter { object[$0] != nil }
    guard effects.count == 1 else {
      throw reader.problem("must have one of segment, feature, permitted, fixed")
    }
    switch effects[0] {
    case "segment": self = .segment(try reader.required("segment").text())
    case "feature":
      let weight = try reader.value("weight")?.number() ?? 1
      self = .feature(AgentFeature(try reader.required("feature").text(), weight: weight))
    case "permitted":
      let codes = try reader.required("permitted").elements { r throws(AgentError) in try r.text() }
      self = .permitted(codes, slot: slot)
    default: self = .fixed(try reader.required("fixed").text(), slot: slot)
    }
  }

  var json: JSONValue {
    var object: JSONObject = [:]
    switch self {
    case .segment(let segment): object["segment"] = .string(segment)
    case .feature(let feature):
      object["feature"] = .string(feature.name)
      if feature.weight != 1 { object["weight"] = .number(feature.weight) }
    case .permitted(let codes, let slot):
      object["permitted"] = .array(codes.map { .string($0) })
      object["slot"] = slot.map { .string($0) }
    case .fixed(let code, let slot):
      object["fixed"] = .string(code)
      object["slot"] = slot.map { .string($0) }
    }
    return .object(object)
  }
}

extension AgentCondition {
  /// Reads `[source, operator, value]`; `present` and `absent` need no value.
  init(reading reader: DefinitionReader) throws(AgentError) {
    let parts = try reader.elements { r throws(AgentError) in r }
    guard parts.count == 2 || parts.count == 3 else {
      throw reader.problem("must be [source, operator, value]")
    }
    guard let source = Source(try parts[0].text()) else {
      throw parts[0].problem(
        "must be one of session, point, segment, feature:NAME, input:KEY, trait:NAMESPACE/KEY")
    }
    let comparison = try parts[1].word(Operator.self)
    guard parts.count == 3 || comparison == .present || comparison == .absent else {
      throw reader.problem("must be [source, operator, value]")
    }
    self.init(source, comparison, parts.count == 3 ? parts[2].value : .null)
  }

  var json: JSONValue {
    let operand: [JSONValue] = operand == .null && isUnary ? [] : [operand]
    return .array([.string(source.description), .string(comparison.rawValue)] + operand)
  }

  private var isUnary: Bool { comparison == .present || comparison == .absent }
}
