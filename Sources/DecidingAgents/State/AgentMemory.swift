internal import Bandits
internal import DecidingCore
internal import Events

/// What is known of one agent.
struct AgentMemory: Equatable, Sendable, Codable {
  /// Everything but the sessions, which are many.
  var known = AgentKnowledge()
  var sessions = OrderedMap<UnitID, AgentSession>()
}

/// What is known of an agent whoever asks. It grows with its points and choices, not with its sessions, unless
/// its policy learns from decisions in their order.
struct AgentKnowledge: Equatable, Sendable, Codable {
  /// Its definition; nil for an agent that came into being at first use.
  var plan: AgentPlan?
  var activity = AgentActivity()
  var points = OrderedMap<PointID, PointMemory>()
  /// How often each goal was reported, counted or not.
  var goals: [GoalID: Int] = [:]
  /// How often the agent was told to forget what it learned. A decision of an earlier epoch earns nothing.
  var epoch = 0
}

/// What is known of a point: its slots in the order of their first decisions.
struct PointMemory: Equatable, Sendable, Codable {
  var slots: [SlotMemory] = []

  func memory(of slot: SlotID) -> SlotMemory? { slots.first { $0.slot == slot } }

  /// The index of a slot, which is added if need be.
  mutating func index(slot: SlotID) -> Int {
    if let index = slots.firstIndex(where: { $0.slot == slot }) { return index }
    slots.append(SlotMemory(slot: slot))
    return slots.count - 1
  }
}

/// What is known of a slot.
struct SlotMemory: Equatable, Sendable, Codable {
  var slot: SlotID
  /// The choices of its last decision.
  var choices: [VariantID] = []
  /// What was learned of each choice, segment by segment; of all together under the empty text.
  var tallies = OrderedMap<TextKey, OrderedMap<VariantID, ArmTally>>()
  /// The decisions segment by segment, for a policy that learns from them in their order; nil until it has.
  var histories: OrderedMap<TextKey, LearningHistory>?
}
