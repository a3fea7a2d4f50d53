/// What became of a goal.
public struct GoalReply: Hashable, Sendable {
  /// What became of it at one agent.
  public struct AgentReward: Hashable, Sendable {
    /// The agent.
    public var agent: String
    /// The value that was accepted, otherwise 0.
    public var reward: Double
    /// Why it was refused; nil when it counted.
    public var refusal: GoalRefusal?

    /// Makes what became of a goal at one agent.
    public init(agent: String, reward: Double, refusal: GoalRefusal? = nil) {
      self.agent = agent
      self.reward = reward
      self.refusal = refusal
    }
  }

  /// The agent; nil when the goal went to every agent of the session.
  public var agent: String?
  /// Whose goal it is.
  public var session: String
  /// The code of the goal.
  public var goal: String
  /// The value that was accepted, otherwise 0; the sum of ``rewards`` when the goal went to several agents.
  public var reward: Double
  /// Whether it counted, for one agent at least.
  public var accepted: Bool
  /// Why it was refused; nil when it counted.
  public var refusal: GoalRefusal?
  /// What became of it agent by agent, ascending by code, when the goal went to every agent of the session;
  /// otherwise empty.
  public var rewards: [AgentReward]
  /// Why there is no answer; nil when there is.
  public var error: AgentError?

  /// Makes a reply.
  public init(
    agent: String?, session: String, goal: String, reward: Double = 0, accepted: Bool = false,
    refusal: GoalRefusal? = nil, rewards: [AgentReward] = [], error: AgentError? = nil
  ) {
    self.agent = agent
    self.session = session
    self.goal = goal
    self.reward = reward
    self.accepted = accepted
    self.refusal = refusal
    self.rewards = rewards
    self.error = error
  }

  /// Whether no answer came, so that the goal may be reported again.
  public var isRetryable: Bool { error?.isRetryable ?? false }
}

/// Why a goal did not count. The raw values stand in the log and never change.
public enum GoalRefusal: String, Hashable, Sendable, CaseIterable, Codable {
  /// The agent is stopped; not recorded.
  case stopped
  /// The agent is paused; not recorded.
  case paused
  /// The session has no decision of the agent.
  case noDecision = "no-decision"
  /// The session has expired since its last decision.
  case expired
  /// The session's decisions are all provisional.
  case notConfirmed = "not-confirmed"
  /// The value is greater than the goal allows.
  case aboveMax = "above-max"
  /// The value is smaller than the goal allows.
  case belowMin = "below-min"
  /// The session has reached the goal as often as it may.
  case limit
}
