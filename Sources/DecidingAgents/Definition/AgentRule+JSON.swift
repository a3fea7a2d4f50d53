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
  static let kind = AgentKind.object(Members.table).map { (members, reader) throws(AgentError) in
    guard let effect = members.effect else {
      throw reader.problem("must have one of segment, feature, permitted, fixed")
    }
    return effect
  } from: {
    Members($0)
  }

  /// The members, of which a rule has one effect with its parameters.
  private struct Members {
    var segment: String?
    var feature: String?
    var weight = 1.0
    var permitted: [String]?
    var fixed: String?
    var slot: String?

    static let table = AgentTable(
      Members(),
      [
        .optional("segment", \.segment, .text), .optional("feature", \.feature, .text),
        .field("weight", \.weight, .number.limited { $0.isFinite ? nil : "must be finite" }),
        .optional("permitted", \.permitted, .list(of: .code)), .optional("fixed", \.fixed, .code),
        .optional("slot", \.slot, .code),
      ])

    init() {}

    init(_ effect: AgentEffect) {
      switch effect {
      case .segment(let segment): self.segment = segment
      case .feature(let feature): (self.feature, weight) = (feature.name, feature.weight)
      case .permitted(let codes, let slot): (permitted, self.slot) = (codes, slot)
      case .fixed(let code, let slot): (fixed, self.slot) = (code, slot)
      }
    }

    var effect: AgentEffect? {
      switch (segment, feature, permitted, fixed) {
      case (let segment?, nil, nil, nil): .segment(segment)
      case (nil, let feature?, nil, nil): .feature(AgentFeature(feature, weight: weight))
      case (nil, nil, let codes?, nil): .permitted(codes, slot: slot)
      case (nil, nil, nil, let code?): .fixed(code, slot: slot)
      default: nil
      }
    }
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
