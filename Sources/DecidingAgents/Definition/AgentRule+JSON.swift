internal import DecidingCore
internal import Events

extension AgentRule {
  static let table = AgentTable(
    AgentRule("", then: .segment("")),
    [
      .required("code", \.code, .text.limited { $0.isEmpty ? "must not be empty" : nil }),
      .field("status", \.status, .word),
      .field("agents", \.agents, .list(of: .text)),
      .field("conditions", \.conditions, .list(of: AgentCondition.kind)),
      .field("join", \.join, .word),
      .required("applies", \.effect, AgentEffect.kind),
    ])

  /// Whether the rule is active, as a word.
  private enum Status: String, CaseIterable {
    case active, inactive
  }

  private var status: Status {
    get { isActive ? .active : .inactive }
    set { isActive = newValue == .active }
  }
}

extension AgentEffect {
  static let kind = AgentKind<AgentEffect>(
    JSONSchema.object(JSONObject(members), isClosed: true)
  ) { (reader) throws(AgentError) in
    try AgentEffect(reader)
  } write: {
    $0.json
  }.checked { (effect, path) throws(AgentError) in
    guard case .feature(let feature) = effect, !feature.weight.isFinite else { return }
    throw .invalid("\(path).weight", "must be finite")
  }

  /// The members, of which a rule has one effect with its parameters.
  private static let members: [JSONObject.Member] = [
    .init(name: "segment", value: JSONSchema.string),
    .init(name: "feature", value: JSONSchema.string),
    .init(name: "weight", value: JSONSchema.number),
    .init(name: "permitted", value: JSONSchema.list(of: AgentCode.schema)),
    .init(name: "fixed", value: AgentCode.schema),
    .init(name: "slot", value: AgentCode.schema),
  ]

  private init(_ reader: AgentReader) throws(AgentError) {
    let object = try reader.members(among: Self.members.map(\.name))
    let slot = try reader.optional("slot")?.text()
    let effects = ["segment", "feature", "permitted", "fixed"].filter { object[$0] != nil }
    guard effects.count == 1 else {
      throw reader.problem("must have one of segment, feature, permitted, fixed")
    }
    switch effects[0] {
    case "segment": self = .segment(try reader.required("segment").text())
    case "feature":
      let weight = try reader.optional("weight")?.number() ?? 1
      self = .feature(AgentFeature(try reader.required("feature").text(), weight: weight))
    case "permitted":
      self = .permitted(try AgentKind.list(of: .text).read(reader.required("permitted")), slot: slot)
    default: self = .fixed(try reader.required("fixed").text(), slot: slot)
    }
  }

  private var json: JSONValue {
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
  /// `[source, operator, value]`; `present` and `absent` need no value.
  static let kind = AgentKind<AgentCondition>(["type": "array", "minItems": 2, "maxItems": 3]) {
    (reader) throws(AgentError) in
    let parts = try reader.elements()
    guard parts.count == 2 || parts.count == 3 else {
      throw reader.problem("must be [source, operator, value]")
    }
    guard let source = Source(try parts[0].text()) else {
      throw parts[0].problem(
        "must be one of session, point, segment, feature:NAME, input:KEY, trait:NAMESPACE/KEY")
    }
    let comparison = try parts[1].word(Operator.self)
    guard parts.count == 3 || comparison.isUnary else {
      throw reader.problem("must be [source, operator, value]")
    }
    return AgentCondition(source, comparison, parts.count == 3 ? parts[2].value : .null)
  } write: {
    let operand: [JSONValue] = $0.operand == .null && $0.comparison.isUnary ? [] : [$0.operand]
    return .array([.string($0.source.description), .string($0.comparison.rawValue)] + operand)
  }.checked { (condition, path) throws(AgentError) in
    if let flaw = condition.flaw { throw .invalid("\(path).2", flaw) }
  }

  /// Why the operand does not fit the operator; nil if it does.
  private var flaw: String? {
    switch comparison {
    case .lt, .le, .gt, .ge: operand.number == nil ? "must compare with a number" : nil
    case .in: operand.array == nil ? "must compare with a list" : nil
    case .starts, .ends: operand.string == nil ? "must compare with a text" : nil
    case .matches:
      pattern.map { $0.flaw.map { "cannot be read as a regular expression: \($0)" } }
        ?? "must compare with a regular expression"
    case .eq, .ne, .contains, .present, .absent: nil
    }
  }
}

extension AgentCondition.Operator {
  fileprivate var isUnary: Bool { self == .present || self == .absent }
}
