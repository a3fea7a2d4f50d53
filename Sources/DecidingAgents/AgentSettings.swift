public import Bandits
public import DecidingCore

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
  /// The policies that definitions can name; the built-in ones by default.
  ///
  /// Agents that are rebuilt from a log or a snapshot need those that its definitions name: an agent whose policy is
  /// unknown draws by its fixed weights.
  public var policies: PolicyCatalog

  /// Makes settings; those of the original by default.
  public init(
    createsUnknown: Bool = true, timeout: Int64 = AgentSettings.standardTimeout,
    visitLength: Int64 = AgentSettings.standardVisitLength, rules: [AgentRule] = [],
    restrictions: Restrictions = Restrictions(), policies: PolicyCatalog = .standard
  ) {
    self.createsUnknown = createsUnknown
    self.timeout = timeout
    self.visitLength = visitLength
    self.rules = rules
    self.restrictions = restrictions
    self.policies = policies
  }

  /// 12 days, 12 hours and 30 minutes.
  public static let standardTimeout: Int64 = 1_081_800
  /// Four hours.
  public static let standardVisitLength: Int64 = 14_400
}
