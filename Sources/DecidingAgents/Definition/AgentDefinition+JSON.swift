package import Bandits
internal import DecidingCore
public import Events

extension AgentDefinition {
  /// Creates a definition from JSON as written by ``json``. Missing members have their defaults.
  ///
  /// - Throws: ``AgentError/invalidDefinition(path:reason:)`` with the path of the invalid member, and the
  ///   errors of ``validate(policies:)``.
  public init(json: JSONValue) throws(AgentError) {
    try self.init(json: json, policies: .standard)
  }

  /// Creates a definition that can name the given policies.
  package init(json: JSONValue, policies: PolicyCatalog) throws(AgentError) {
    try self.init(reading: DefinitionReader(value: json, path: "", isLenient: false))
    try validate(policies: policies)
  }

  /// The names of the members.
  package static let keys = [
    "agent", "name", "points", "goals", "policy", "learnedPolicy", "controlShare", "eligibleShare",
    "sticky", "explorationFloor", "credit", "learnsBy", "rules", "timeout", "visitLength",
    "schedule", "recordInputs",
  ]

  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: Self.keys)
    self.init(try reader.required("agent").text(), name: try reader.value("name")?.text())
    points = try reader.list("points") { r throws(AgentError) in try AgentPoint(reading: r) } ?? []
    goals = try reader.list("goals") { r throws(AgentError) in try AgentGoal(reading: r) } ?? []
    rules = try reader.list("rules") { r throws(AgentError) in try AgentRule(reading: r) } ?? []
    policy = try reader.value("policy")?.text()
    learnedPolicy = try reader.value("learnedPolicy")?.learnedPolicy()
    controlShare = try reader.value("controlShare")?.number() ?? controlShare
    eligibleShare = try reader.value("eligibleShare")?.number() ?? eligibleShare
    isSticky = try reader.value("sticky")?.flag() ?? isSticky
    explorationFloor = try reader.value("explorationFloor")?.number() ?? explorationFloor
    credit = try reader.value("credit")?.word(Credit.self) ?? credit
    learnsBy = try reader.value("learnsBy")?.word(Learning.self) ?? learnsBy
    timeout = try reader.value("timeout")?.whole()
    visitLength = try reader.value("visitLength")?.whole()
    recordInputs = try reader.value("recordInputs").map { r throws(AgentError) in
      try RecordedInputs(reading: r)
    }
    if let schedule = reader.value("schedule") {
      _ = try schedule.object(keys: ["from", "to"])
      self.schedule = Schedule(
        from: try schedule.value("from")?.time(), to: try schedule.value("to")?.time())
    }
  }

  /// The definition as JSON; members with default values are omitted.
  public var json: JSONValue {
    var object: JSONObject = ["agent": .string(agent)]
    object["name"] = name.map { .string($0) }
    if !points.isEmpty { object["points"] = .array(points.map(\.json)) }
    if !goals.isEmpty { object["goals"] = .array(goals.map(\.json)) }
    if !rules.isEmpty { object["rules"] = .array(rules.map(\.json)) }
    object["policy"] = policy.map { .string($0) }
    object["learnedPolicy"] = learnedPolicy.flatMap { try? JSONValue(encoding: $0.tree) }
    if controlShare != Self.standardControlShare { object["controlShare"] = .number(controlShare) }
    if eligibleShare != 1 { object["eligibleShare"] = .number(eligibleShare) }
    if !isSticky { object["sticky"] = false }
    if explorationFloor != 0 { object["explorationFloor"] = .number(explorationFloor) }
    if credit != .all { object["credit"] = .string(credit.rawValue) }
    if learnsBy != .together { object["learnsBy"] = .string(learnsBy.rawValue) }
    object["timeout"] = timeout.map { .integer($0) }
    object["visitLength"] = visitLength.map { .integer($0) }
    if let schedule {
      var times: JSONObject = [:]
      times["from"] = schedule.from.map { .string($0.description) }
      times["to"] = schedule.to.map { .string($0.description) }
      object["schedule"] = .object(times)
    }
    object["recordInputs"] = recordInputs?.json
    return .object(object)
  }
}

extension AgentPoint {
  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: ["code", "slots"])
    self.init(
      slots: try reader.list("slots") { r throws(AgentError) in try AgentSlot(reading: r) } ?? [])
    code = try reader.value("code")?.text() ?? code
  }

  var json: JSONValue { ["code": .string(code), "slots": .array(slots.map(\.json))] }
}

extension AgentSlot {
  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: ["code", "choices"])
    self.init(
      choices: try reader.list("choices") { r throws(AgentError) in try AgentOption(reading: r) }
        ?? [])
    code = try reader.value("code")?.text() ?? code
  }

  var json: JSONValue { ["code": .string(code), "choices": .array(choices.map(\.json))] }
}

extension AgentOption {
  /// Reads a choice: an object, or a bare code.
  init(reading reader: DefinitionReader) throws(AgentError) {
    if let code = reader.value.string {
      self.init(code)
      return
    }
    _ = try reader.object(keys: ["code", "name", "meta", "weight"])
    self.init(try reader.required("code").text())
    name = try reader.value("name")?.text()
    weight = try reader.value("weight")?.number() ?? weight
    guard let meta = reader.value("meta") else { return }
    guard let object = meta.value.object else {
      throw meta.problem("must be an object, not \(meta.value.kindName)")
    }
    self.meta = object
  }

  var json: JSONValue {
    if name == nil, meta.isEmpty, weight == 1 { return .string(code) }
    var object: JSONObject = ["code": .string(code)]
    object["name"] = name.map { .string($0) }
    if !meta.isEmpty { object["meta"] = .object(meta) }
    if weight != 1 { object["weight"] = .number(weight) }
    return .object(object)
  }
}

extension AgentGoal {
  /// Reads a goal: an object, or a bare code. A missing limit is 1, a null limit is none.
  init(reading reader: DefinitionReader) throws(AgentError) {
    if let code = reader.value.string {
      self.init(code)
      return
    }
    _ = try reader.object(keys: ["code", "min", "max", "default", "limit", "decisionPoint"])
    self.init(try reader.required("code").text())
    min = try reader.value("min")?.number()
    max = try reader.value("max")?.number()
    self.default = try reader.value("default")?.number() ?? self.default
    decisionPoint = try reader.value("decisionPoint")?.text()
    guard let limit = reader.member("limit") else { return }
    self.limit = limit.value == .null ? nil : Int(clamping: try limit.whole())
  }

  var json: JSONValue {
    var object: JSONObject = ["code": .string(code)]
    object["min"] = min.map { .number($0) }
    object["max"] = max.map { .number($0) }
    if self.default != 1 { object["default"] = .number(self.default) }
    if limit != 1 { object["limit"] = limit.map { .integer(Int64($0)) } ?? .null }
    object["decisionPoint"] = decisionPoint.map { .string($0) }
    return object.count == 1 ? .string(code) : .object(object)
  }
}
