/// The answer to a reported goal.
public struct GoalReply: Hashable, Sendable {
  /// The outcome of a goal at one agent.
  public struct AgentReward: Hashable, Sendable {
    /// The agent.
    public var agent: String
    /// The accepted value; 0 when the goal was refused.
    public var reward: Double
    /// The reason for a refusal; nil when the goal counted.
    public var refusal: GoalRefusal?

    /// Creates the outcome of a goal at one agent.
    public init(agent: String, reward: Double, refusal: GoalRefusal? = nil) {
      self.agent = agent
      self.reward = reward
      self.refusal = refusal
    }
  }

  /// The agent; nil when the goal went to every agent of the session.
  public var agent: String?
  /// The session of the goal.
  public var session: String
  /// The code of the goal.
  public var goal: String
  /// The accepted value, 0 when the goal was refused; the sum of ``rewards`` when the goal went to several
  /// agents.
  public var reward: Double
  /// Whether the goal counted, for at least one agent.
  public var accepted: Bool
  /// The reason for a refusal; nil when the goal counted.
  public var refusal: GoalRefusal?
  /// The outcomes by agent, ascending by code, when the goal went to every agent of the session; otherwise
  /// empty.
  public var rewards: [AgentReward]
  /// The error when there was no answer; nil otherwise.
  public var error: AgentError?

  /// Creates a reply.
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

  /// Whether no answer came, so that the goal can be reported again.
  public var isRetryable: Bool { error?.isRetryable ?? false }
}

/// The reason why a goal was refused. The raw values are stored in the log and never change.
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
  /// The session has reached the limit of the goal.
  case limit
}
