/// What an app reports: a session reached a goal.
public struct GoalRequest: Hashable, Sendable {
  /// The agent that is rewarded; nil for every agent that the session has a decision of.
  public var agent: String?
  /// Whose goal it is.
  public var session: String
  /// The code of the goal; `goal-1` when nil.
  public var goal: String?
  /// What it is worth; the goal's own default when nil, which is 1 unless it was defined.
  public var reward: Double?

  /// Reports a goal.
  public init(agent: String?, session: String, goal: String? = nil, reward: Double? = nil) {
    self.agent = agent
    self.session = session
    self.goal = goal
    self.reward = reward
  }

  /// The goal of a request that names none: `goal-1`.
  public static let standardGoal = "goal-1"
}
