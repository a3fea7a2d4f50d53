public import Bandits
public import DecidingCore
public import Events

/// The definition of an agent. Everything has a default, so that an agent can also be created on first use.
public struct AgentDefinition: Hashable, Sendable {
  /// The attribution of accepted goals to decisions.
  public enum Credit: String, Hashable, Sendable, CaseIterable {
    /// The latest confirmed decision of every point and slot of the session.
    case all
    /// The latest decision of the session.
    case last
  }

  /// Whether an agent learns separately by segment.
  public enum Learning: String, Hashable, Sendable, CaseIterable {
    /// All sessions are pooled.
    case together
    /// Each segment is learned separately; a new one starts empty.
    case segment
  }

  /// The code of the agent.
  public var agent: String
  /// The display name, which can be changed while the code cannot.
  public var name: String?
  /// The points whose choices have a name, metadata or a weight, or that are known in advance.
  public var points: [AgentPoint]
  /// The goals that differ from the default.
  public var goals: [AgentGoal]
  /// The learning policy, such as `thompson`, `epsilon-greedy:epsilon=0.1` or `exp3`; nil to draw by fixed
  /// weights.
  ///
  /// `AgentPolicy.all` lists the policies available to agents: all whose probabilities are known before a
  /// draw, exactly, or for Thompson sampling by quadrature to 1e-9 (`Allocation.error` has a bound).
  ///
  /// Most policies learn from the counts of a slot. Those for which the order of decisions matters, such as
  /// `exp3`, `sliding-window-ucb` or `ucb2`, learn from the decisions drawn while the agent had a policy of
  /// this kind, each with its propensity and the sum of its rewards so far (0 if none). They learn about the
  /// choices listed in a request; the probability of choices that are not permitted is redistributed among
  /// those that are. Their memory grows with the decisions, and a late reward takes time proportional to the
  /// number of decisions since.
  public var policy: String?
  /// A policy that was learned from a log, in place of a learning policy: it chooses by attributes, and never changes.
  ///
  /// The whole policy is part of the definition in the log, so agents rebuilt from the log choose in the same way. It
  /// reads the attributes of the context by the names under which decisions record them: `segment`, `feature:NAME`,
  /// or any other name for one of the inputs of the request, which is recorded as a number if the policy reads it as
  /// one. The attributes of a choice are those of the request, and its ``AgentOption/meta``.
  /// Choices that the policy does not know are never drawn by a table or a tree, unless it knows none of them.
  public var learnedPolicy: LearnedPolicy?
  /// The control share: the share of new decisions that an agent with a policy draws by the fixed weights.
  public var controlShare: Double
  /// The share of eligible sessions; the others get the first choice until they expire.
  public var eligibleShare: Double
  /// Whether a session keeps its choice (sticky assignment).
  public var isSticky: Bool
  /// The minimum probability that a policy gives a choice; at most 1 over the number of choices.
  public var explorationFloor: Double
  /// The attribution of accepted goals to decisions.
  public var credit: Credit
  /// Whether the agent learns separately by segment.
  public var learnsBy: Learning
  /// The rules of this agent, evaluated after those of the settings.
  public var rules: [AgentRule]
  /// The inactivity timeout of a session, in seconds; nil for that of the settings.
  public var timeout: Int64?
  /// The visit length in seconds: a sticky choice shown again after this time is recorded again; nil for that
  /// of the settings.
  public var visitLength: Int64?
  /// The schedule on which the agent decides; always when nil.
  public var schedule: Schedule?
  /// Which inputs of requests are recorded as the context of decisions; nil for those of the settings.
  public var recordInputs: RecordedInputs?

  /// Creates a definition.
  public init(
    _ agent: String, name: String? = nil, points: [AgentPoint] = [],
    goals: [AgentGoal] = [], policy: String? = nil,
    learnedPolicy: LearnedPolicy? = nil,
    controlShare: Double = AgentDefinition.standardControlShare, eligibleShare: Double = 1,
    isSticky: Bool = true, explorationFloor: Double = 0, credit: Credit = .all,
    learnsBy: Learning = .together, rules: [AgentRule] = [], timeout: Int64? = nil,
    visitLength: Int64? = nil, schedule: Schedule? = nil, recordInputs: RecordedInputs? = nil
  ) {
    self.agent = agent
    self.name = name
    self.points = points
    self.goals = goals
    self.policy = policy
    self.learnedPolicy = learnedPolicy
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
    self.recordInputs = recordInputs
  }

  /// The default control share: one decision in ten.
  public static let standardControlShare = 0.1
}

/// A point of an agent.
public struct AgentPoint: Hashable, Sendable {
  /// The code of the point.
  public var code: String
  /// The slots of the point, in order.
  public var slots: [AgentSlot]

  /// Creates a point; `point-1` by default.
  public init(_ code: String = PointID.standard.rawValue, slots: [AgentSlot]) {
    self.code = code
    self.slots = slots
  }
}

/// A slot of a point.
public struct AgentSlot: Hashable, Sendable {
  /// The code of the slot.
  public var code: String
  /// The choices of the slot, the default first.
  public var choices: [AgentOption]

  /// Creates a slot; `decision-1` by default.
  public init(_ code: String = SlotID.standard.rawValue, choices: [AgentOption]) {
    self.code = code
    self.choices = choices
  }
}

/// A choice of a slot.
public struct AgentOption: Hashable, Sendable {
  /// The code of the choice.
  public var code: String
  /// The display name, which can be changed while the code cannot.
  public var name: String?
  /// Metadata for the app.
  public var meta: JSONObject
  /// The weight among the choices of the slot: a ratio or a percentage; 0 to leave it out.
  public var weight: Double

  /// Creates a choice.
  public init(_ code: String, name: String? = nil, meta: JSONObject = [:], weight: Double = 1) {
    self.code = code
    self.name = name
    self.meta = meta
    self.weight = weight
  }
}

/// A goal of an agent.
public struct AgentGoal: Hashable, Sendable {
  /// The code of the goal.
  public var code: String
  /// The minimum value that counts; unbounded when nil.
  public var min: Double?
  /// The maximum value that counts; unbounded when nil.
  public var max: Double?
  /// The value of a goal reported without one.
  public var `default`: Double
  /// How often the goal counts per session; unlimited when nil.
  public var limit: Int?
  /// The point at which a confirmed decision reaches the goal automatically; nil when it has to be reported.
  public var decisionPoint: String?

  /// Creates a goal.
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

  /// Returns why the value does not count; nil when it does.
  func refusal(of value: Double) -> GoalRefusal? {
    if let max, value > max { return .aboveMax }
    if let min, value < min { return .belowMin }
    return nil
  }
}
