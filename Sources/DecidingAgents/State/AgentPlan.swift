internal import Bandits
internal import DecidingCore
internal import Events

/// A definition and the values derived from it, computed once. Two plans are equal when their definitions
/// are.
final class AgentPlan: Sendable, Equatable, Codable {
  let definition: AgentDefinition
  /// The learning policy; nil to draw by fixed weights.
  let policy: AgentPolicy?
  /// The policy that was learned from a log; nil for none.
  let served: ServedPolicy?
  let policyID: PolicyID?
  /// The shares and the floor of the definition, clamped to their ranges: a log from elsewhere can contain
  /// any value.
  let controlShare: Double
  let eligibleShare: Double
  let explorationFloor: Double
  /// The agent's own active rules.
  let rules: [AgentRule]
  private let options: OrderedMap<String, OrderedMap<String, OrderedMap<String, AgentOption>>>
  private let goals: [String: AgentGoal]
  private let decisionGoals: [String: [AgentGoal]]

  init(_ definition: AgentDefinition, _ policies: PolicyCatalog) {
    self.definition = definition
    // A definition is validated before it is logged; one from elsewhere that names an unknown policy draws by
    // weights.
    policy = definition.policy.flatMap { try? AgentPolicy.named($0, in: policies) }
    served = definition.learnedPolicy.map { ServedPolicy($0) }
    policyID = (definition.policy ?? served?.name).map { PolicyID($0) }
    controlShare = min(max(definition.controlShare, 0), 1)
    eligibleShare = min(max(definition.eligibleShare, 0), 1)
    explorationFloor = min(max(definition.explorationFloor, 0), 1)
    rules = definition.rules.filter { $0.concerns(definition.agent) }
    options = OrderedMap(
      definition.points.map { point in
        let slots = point.slots.map { slot in
          (slot.code, OrderedMap(slot.choices.map { ($0.code, $0) }))
        }
        return (point.code, OrderedMap(slots))
      })
    goals = Dictionary(definition.goals.map { ($0.code, $0) }, uniquingKeysWith: { a, _ in a })
    decisionGoals = Dictionary(
      grouping: definition.goals.filter { $0.decisionPoint != nil }, by: { $0.decisionPoint ?? "" })
  }

  /// The plan of an agent created on first use.
  static let standard = AgentPlan(AgentDefinition(""), .standard)

  /// Whether choices are drawn by a policy rather than by fixed weights.
  var hasPolicy: Bool { policy != nil || served != nil }

  /// The policy if it learns from decisions in order; nil if counts are sufficient for it.
  var orderedPolicy: AgentPolicy? { policy?.allocationPolicy == nil ? policy : nil }

  /// Returns the options of a slot's choices; nil when none are defined.
  func options(point: String, slot: String) -> OrderedMap<String, AgentOption>? {
    options.isEmpty ? nil : options[point]?[slot]
  }

  /// Returns the defined slots of a point that have choices.
  func slots(point: String) -> [AgentSlot] {
    definition.points.first { $0.code == point }?.slots.filter { !$0.choices.isEmpty } ?? []
  }

  /// Returns the goal; nil when it is not defined.
  func goal(_ code: String) -> AgentGoal? { goals.isEmpty ? nil : goals[code] }

  /// Returns the goals that a decision at the point reaches automatically, in the order of their definition.
  func goals(reachedAt point: String) -> [AgentGoal] {
    decisionGoals.isEmpty ? [] : decisionGoals[point] ?? []
  }

  static func == (a: AgentPlan, b: AgentPlan) -> Bool {
    a === b || a.definition.json == b.definition.json
  }

  convenience init(from decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    self.init(
      try AgentDefinition.table.read(AgentReader(json, at: "plan", isLenient: true)),
      .standard)
  }

  func encode(to encoder: any Encoder) throws { try definition.json.encode(to: encoder) }
}
