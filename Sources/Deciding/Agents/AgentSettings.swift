/// How the agents of one owner behave where their definitions do not say otherwise.
public struct AgentSettings: Hashable, Sendable {
  /// Whether an unknown agent or goal comes into being at first use; otherwise it is an error.
  public var createsUnknown: Bool
  /// Seconds after which a session ends in which nothing happened.
  public var timeout: Int64
  /// Seconds after which a kept choice that is shown again is recorded again.
  public var visitLength: Int64
  /// Rules for all agents or some, asked before the agents' own.
  public var rules: [AgentRule]
  /// What may keep a session out of an agent before anything is drawn.
  public var restrictions: Restrictions

  /// Makes settings; those of the original by default.
  public init(
    createsUnknown: Bool = true, timeout: Int64 = AgentSettings.standardTimeout,
    visitLength: Int64 = AgentSettings.standardVisitLength, rules: [AgentRule] = [],
    restrictions: Restrictions = Restrictions()
  ) {
    self.createsUnknown = createsUnknown
    self.timeout = timeout
    self.visitLength = visitLength
    self.rules = rules
    self.restrictions = restrictions
  }

  /// 12 days, 12 hours and 30 minutes.
  public static let standardTimeout: Int64 = 1_081_800
  /// Four hours.
  public static let standardVisitLength: Int64 = 14_400
}
