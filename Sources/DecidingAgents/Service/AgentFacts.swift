internal import Events

/// The facts about a visitor when a decision is made, as changed by the rules.
struct AgentFacts {
  private let session: UnitID
  let question: AgentQuestion
  /// The inputs of the request by name.
  let inputs: FlatInputs
  private(set) var segment: String?
  private(set) var features: [AgentFeature]

  /// The choices that a rule permits.
  struct Permission {
    var codes: [String]
    /// Nil for every slot.
    var slot: String?
  }

  /// The choice that a rule fixes.
  struct Fixing {
    var code: String
    /// Nil for every slot that has the choice.
    var slot: String?
    var rule: String
  }

  private(set) var permissions: [Permission] = []
  private(set) var fixings: [Fixing] = []

  init(_ question: AgentQuestion, session: UnitID) {
    self.session = session
    self.question = question
    inputs = FlatInputs(question.request.inputs)
    segment = question.request.segment
    features = question.features
  }

  /// The context recorded in the log: the segment under its own name, each feature as `feature:NAME`.
  var context: Attributes? {
    guard segment != nil || !features.isEmpty else { return nil }
    var context: Attributes = [:]
    if let segment { context["segment"] = .text(segment) }
    for feature in features { context["feature:\(feature.name)"] = .number(feature.weight) }
    return context
  }

  /// Applies the rules in their order.
  mutating func apply(_ rules: [AgentRule], for agent: String) {
    for rule in rules where rule.concerns(agent) && applies(rule) {
      switch rule.effect {
      case .segment(let segment): self.segment = segment
      case .feature(let feature): if feature.weight.isFinite { features.put(feature) }
      case .permitted(let codes, let slot): permissions.append(Permission(codes: codes, slot: slot))
      case .fixed(let code, let slot):
        fixings.append(Fixing(code: code, slot: slot, rule: rule.code))
      }
    }
  }

  private func applies(_ rule: AgentRule) -> Bool {
    guard !rule.conditions.isEmpty else { return true }
    switch rule.join {
    case .all: return rule.conditions.allSatisfy(holds)
    case .any: return rule.conditions.contains(where: holds)
    }
  }

  private func holds(_ condition: AgentCondition) -> Bool {
    condition.holds(for: values(of: condition.source))
  }

  /// Returns the values that a condition reads; empty when there are none.
  private func values(of source: AgentCondition.Source) -> [JSONValue] {
    switch source {
    case .session: return [.string(session.rawValue)]
    case .point: return [.string(question.point.rawValue)]
    case .segment: return segment.map { [.string($0)] } ?? []
    case .feature(let name):
      return features.first { $0.name.hasSameBytes(as: name) }.map { [.number($0.weight)] } ?? []
    case .input(let key):
      return (question.request.inputs[key] ?? inputs[key]).map { [$0] } ?? []
    case .trait(let name):
      guard name.utf8.starts(with: "cust/".utf8) else { return [] }
      let key = name.utf8.dropFirst("cust/".utf8.count)
      return question.request.traits.filter { $0.key.utf8.elementsEqual(key) }
        .map { .string($0.value) }
    }
  }
}
