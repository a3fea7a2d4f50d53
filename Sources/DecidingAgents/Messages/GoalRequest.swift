/// A report that a session reached a goal.
public struct GoalRequest: Hashable, Sendable {
  /// The agent that is rewarded; nil for every agent with a decision for the session.
  public var agent: String?
  /// The session of the goal.
  public var session: String
  /// The code of the goal; `goal-1` when nil.
  public var goal: String?
  /// The value; when nil the goal's own default, which is 1 unless defined otherwise.
  public var reward: Double?

  /// Creates a report of a goal.
  public init(agent: String?, session: String, goal: String? = nil, reward: Double? = nil) {
    self.agent = agent
    self.session = session
    self.goal = goal
    self.reward = reward
  }

  /// The default goal code: `goal-1`.
  public static let standardGoal = "goal-1"
}
