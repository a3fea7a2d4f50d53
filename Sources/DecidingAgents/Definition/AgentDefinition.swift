public import DecidingCore
public import Events

/// What is known of an agent beforehand. Everything has a default, so that an agent may also come into being
/// at first use.
public struct AgentDefinition: Hashable, Sendable {
  /// Which decisions an accepted goal is credited to.
  public enum Credit: String, Hashable, Sendable, CaseIterable {
    /// The latest confirmed decision of every point and slot of the session.
    case all
    /// The decision of the session that was made last.
    case last
  }

  /// What the agent learns apart.
  public enum Learning: String, Hashable, Sendable, CaseIterable {
    /// Nothing: all sessions together.
    case together
    /// Each segment by itself; one unseen so far starts empty.
    case segment
  }

  /// Its code.
  public var agent: String
  /// The points whose choices have a name, metadata or a weight, or that are known beforehand.
  public var points: [AgentPoint]
  /// The goals that differ from the usual.
  public var goals: [AgentGoal]
  /// The learning policy, such as `thompson`, `epsilon-greedy:epsilon=0.1` or `exp3`; nil to draw by fixed weights.
  ///
  /// `AgentPolicy.all` lists those that can serve an agent: all whose probabilities are known before they draw,
  /// exactly, or for Thompson sampling by quadrature to 1e-9 (`Allocation.error` has a bound).
  ///
  /// Most learn from the counts of a slot. Those for which the order of decisions matters, such as `exp3`,
  /// `sliding-window-ucb` or `ucb2`, learn from the decisions that were drawn while the agent had a policy of this
  /// kind, each with its propensity and all that it earned so far, 0 as long as it earned nothing. They learn for the
  /// choices that a request lists; those that are permitted share the probability of those that are not. What they
  /// remember grows with the decisions, and a late reward takes time in proportion to the decisions since.
  public var policy: String?
  /// The share of fresh decisions that a learning agent draws by the fixed weights.
  public var controlShare: Double
  /// The share of sessions that are let in; the others get the first choice until they expire.
  public var eligibleShare: Double
  /// Whether a session keeps its choice.
  public var isSticky: Bool
  /// The least probability that a learning policy gives a choice; at most 1 over the number of choices.
  public var explorationFloor: Double
  /// Which decisions an accepted goal is credited to.
  public var credit: Credit
  /// What the agent learns apart.
  public var learnsBy: Learning
  /// Rules of this agent, asked after those of the settings.
  public var rules: [AgentRule]
  /// Seconds after which a session ends in which nothing happened; nil for that of the settings.
  public var timeout: Int64?
  /// Seconds after which a kept choice that is shown again is recorded again; nil for that of the settings.
  public var visitLength: Int64?
  /// When the agent decides; always when nil.
  public var schedule: Schedule?

  /// Defines an agent.
  public init(
    _ agent: String, points: [AgentPoint] = [], goals: [AgentGoal] = [], policy: String? = nil,
    controlShare: Double = AgentDefinition.standardControlShare, eligibleShare: Double = 1,
    isSticky: Bool = true, explorationFloor: Double = 0, credit: Credit = .all,
    learnsBy: Learning = .together, rules: [AgentRule] = [], timeout: Int64? = nil,
    visitLength: Int64? = nil, schedule: Schedule? = nil
  ) {
    self.agent = agent
    self.points = points
    self.goals = goals
    self.policy = policy
    self.controlShare = controlShare
    self.eligibleShare = eligibleShare
    self.isSticky = isSticky
    self.explorationFloor = explorationFloor
    self.credit = credit
    self.learnsBy = learnsBy
    self.rules = rules
    self.timeout = timeout
    self.visitLength = visitLength
    self.schedule = schedule
  }

  /// One decision in ten.
  public static let standardControlShare = 0.1
}

/// A point of an agent.
public struct AgentPoint: Hashable, Sendable {
  /// Its code.
  public var code: String
  /// Its slots, in order.
  public var slots: [AgentSlot]

  /// Defines a point; `point-1` by default.
  public init(_ code: String = PointID.standard.rawValue, slots: [AgentSlot]) {
    self.code = code
    self.slots = slots
  }
}

/// A slot of a point.
public struct AgentSlot: Hashable, Sendable {
  /// Its code.
  public var code: String
  /// Its choices, the default first.
  public var choices: [AgentOption]

  /// Defines a slot; `decision-1` by default.
  public init(_ code: String = SlotID.standard.rawValue, choices: [AgentOption]) {
    self.code = code
    self.choices = choices
  }
}

/// A choice of a slot.
public struct AgentOption: Hashable, Sendable {
  /// Its code.
  public var code: String
  /// A friendly name, which may change when the code may not.
  public var name: String?
  /// Anything else an app wants to know of it.
  public var meta: JSONObject
  /// Its weight among the others: a ratio, a percentage, or 0 to leave it out.
  public var weight: Double

  /// Defines a choice.
  public init(_ code: String, name: String? = nil, meta: JSONObject = [:], weight: Double = 1) {
    self.code = code
    self.name = name
    self.meta = meta
    self.weight = weight
  }
}

/// A goal of an agent.
public struct AgentGoal: Hashable, Sendable {
  /// Its code.
  public var code: String
  /// The smallest value that counts; open when nil.
  public var min: Double?
  /// The greatest value that counts; open when nil.
  public var max: Double?
  /// What a goal without a value is worth.
  public var `default`: Double
  /// How often it counts per session; without end when nil.
  public var limit: Int?
  /// The point at which a confirmed decision reaches the goal by itself; nil when it has to be reported.
  public var decisionPoint: String?

  /// Defines a goal.
  public init(
    _ code: String, min: Double? = nil, max: Double? = nil, default value: Double = 1,
    limit: Int? = 1, decisionPoint: String? = nil
  ) {
    self.code = code
    self.min = min
    self.max = max
    self.default = value
    self.limit = limit
    self.decisionPoint = decisionPoint
  }

  /// Why the value does not count; nil when it does.
  func refusal(of value: Double) -> GoalRefusal? {
    if let max, value > max { return .aboveMax }
    if let min, value < min { return .belowMin }
    return nil
  }
}
