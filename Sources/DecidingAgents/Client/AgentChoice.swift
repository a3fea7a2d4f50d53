internal import DecidingCore
public import Events

/// The choice for one slot: the agent's, or the fallback of the call.
public struct AgentChoice: Hashable, Sendable {
  /// The code of the choice.
  public var code: String
  /// The slot it was chosen for.
  public var slot: String
  /// The point in the app.
  public var point: String
  /// The session that it was chosen for.
  public var session: String
  /// The reason for the choice.
  public var reason: Reason
  /// Whether the choice counts. An answer that is not recorded, such as a fallback, is `excluded`.
  public var status: EventStatus
  /// The probability with which it was chosen; nil when unknown.
  public var propensity: Double?
  /// The display name of the choice; nil when it has none.
  public var name: String?
  /// The metadata of the choice.
  public var meta: JSONObject
  /// The traits given by the caller, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// Warnings for the caller, such as for an overly long code.
  public var warnings: [String]
  /// The error that led to the fallback; nil when the agent chose.
  public var error: AgentError?

  /// The policy word: how the choice came about.
  public var policy: PolicyWord { PolicyWord(reason) }

  /// Whether the choice is a fallback, because the agent could not be reached or refused.
  public var isFallback: Bool { error != nil }

  /// Creates the choice for one slot of a reply.
  init(_ decision: AgentDecision, of reply: DecisionReply, error: AgentError? = nil) {
    code = decision.code
    slot = decision.slot
    point = reply.point
    session = reply.session
    reason = decision.reason
    status = decision.status
    propensity = decision.propensity
    name = decision.name
    meta = decision.meta
    traits = reply.traits
    warnings = reply.warnings
    self.error = error
  }
}

/// The choices for the slots of a point: the agent's, or the fallbacks of the call.
public struct AgentChoices: Hashable, Sendable {
  /// The choices, in the order in which the slots were requested.
  public var choices: [AgentChoice]
  /// The agent.
  public var agent: String
  /// The session that they were chosen for.
  public var session: String
  /// The point in the app.
  public var point: String
  /// The segment used for the decision, after the rules.
  public var segment: String?
  /// The features of the visitor, after the rules.
  public var features: [AgentFeature]
  /// The traits given by the caller, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// Warnings for the caller, such as for an overly long code.
  public var warnings: [String]
  /// The error that led to the fallback; nil when the agent chose.
  public var error: AgentError?

  /// Returns the choice for a slot; nil when there is none.
  public subscript(slot: String) -> AgentChoice? {
    choices.first { $0.slot.utf8.elementsEqual(slot.utf8) }
  }

  /// The policy word of the first slot.
  public var policy: PolicyWord { choices.first?.policy ?? .none }

  /// Whether the choices are fallbacks, because the agent could not be reached or refused.
  public var isFallback: Bool { error != nil }

  /// Creates the choices for all slots of a reply.
  init(_ reply: DecisionReply, error: AgentError? = nil) {
    choices = reply.decisions.map { AgentChoice($0, of: reply, error: error) }
    agent = reply.agent
    session = reply.session
    point = reply.point
    segment = reply.segment
    features = reply.features
    traits = reply.traits
    warnings = reply.warnings
    self.error = error
  }
}
