internal import Bandits
internal import DecidingCore
internal import Events

/// The state of one agent.
struct AgentMemory: Equatable, Sendable, Codable {
  /// Everything but the sessions, which are numerous.
  var known = AgentKnowledge()
  var sessions = SessionTable()
}

/// The state of an agent apart from its sessions. It grows with the agent's points and choices, not with its
/// sessions, unless its policy learns from decisions in order.
struct AgentKnowledge: Equatable, Sendable, Codable {
  /// The plan of its definition; nil for an agent created on first use.
  var plan: AgentPlan?
  var activity = AgentActivity()
  var points = OrderedMap<PointID, PointMemory>()
  /// How often each goal was reported, counted or refused.
  var goals: [GoalID: Int] = [:]
  /// How often the agent's learning was reset. A decision of an earlier epoch earns nothing.
  var epoch = 0
}

/// The state of a point: its slots in the order of their first decisions.
struct PointMemory: Equatable, Sendable, Codable {
  var slots: [SlotMemory] = []

  func memory(of slot: SlotID) -> SlotMemory? { slots.first { $0.slot == slot } }

  /// Returns the index of a slot, adding it if necessary.
  mutating func index(slot: SlotID) -> Int {
    if let index = slots.firstIndex(where: { $0.slot == slot }) { return index }
    slots.append(SlotMemory(slot: slot))
    return slots.count - 1
  }
}

/// The state of a slot.
struct SlotMemory: Equatable, Sendable, Codable {
  var slot: SlotID
  /// The choices of the latest decision.
  var choices: [VariantID] = []
  /// The tallies of each choice, by segment; under the empty text when all sessions are pooled.
  var tallies = OrderedMap<TextKey, OrderedMap<VariantID, ArmTally>>()
  /// The decisions by segment, for a policy that learns from them in order; nil until there are any.
  var histories: OrderedMap<TextKey, LearningHistory>?
}
