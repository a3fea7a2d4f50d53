public import Bandits
public import DecidingCore

/// The settings of an owner's agents, used wherever an agent's definition does not override them.
public struct AgentSettings: Hashable, Sendable {
  /// Whether an unknown agent or goal is created on first use; otherwise it is an error.
  public var createsUnknown: Bool
  /// The inactivity timeout of a session, in seconds.
  public var timeout: Int64
  /// The visit length in seconds: a sticky choice shown again after this time is recorded again.
  public var visitLength: Int64
  /// Rules for all or some agents, evaluated before the agents' own.
  public var rules: [AgentRule]
  /// The restrictions that can exclude a session from an agent before anything is drawn.
  public var restrictions: Restrictions
  /// The policies that definitions can name; the built-in ones by default.
  ///
  /// Agents rebuilt from a log or a snapshot need the policies that its definitions name: an agent with an
  /// unknown policy draws by its fixed weights.
  public var policies: PolicyCatalog
  /// Which inputs of requests are recorded as the context of decisions.
  public var recordInputs: RecordedInputs

  /// Creates settings, with the standard timeout and visit length by default.
  public init(
    createsUnknown: Bool = true, timeout: Int64 = AgentSettings.standardTimeout,
    visitLength: Int64 = AgentSettings.standardVisitLength, rules: [AgentRule] = [],
    restrictions: Restrictions = Restrictions(), policies: PolicyCatalog = .standard,
    recordInputs: RecordedInputs = .all
  ) {
    self.createsUnknown = createsUnknown
    self.timeout = timeout
    self.visitLength = visitLength
    self.rules = rules
    self.restrictions = restrictions
    self.policies = policies
    self.recordInputs = recordInputs
  }

  /// The default session timeout: 12 days, 12 hours and 30 minutes.
  public static let standardTimeout: Int64 = 1_081_800
  /// The default visit length: four hours.
  public static let standardVisitLength: Int64 = 14_400
}
