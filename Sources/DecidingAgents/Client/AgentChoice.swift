public import DecidingCore
public import Events

/// What an agent chose for one slot, or what a call falls back to.
public struct AgentChoice: Hashable, Sendable {
  /// The code of the choice.
  public var code: String
  /// The slot it was chosen for.
  public var slot: String
  /// Where in the app.
  public var point: String
  /// Whose choice it is.
  public var session: String
  /// Why it was chosen.
  public var reason: Reason
  /// Whether it counts. An answer that is not recorded, such as a fallback, is `excluded`.
  public var status: EventStatus
  /// The probability with which it was chosen; nil when that is unknown.
  public var propensity: Double?
  /// The friendly name of the choice; nil when it has none.
  public var name: String?
  /// What else is known of the choice.
  public var meta: JSONObject
  /// The traits that the caller gave, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// What the caller should know, such as that a code is rather long.
  public var warnings: [String]
  /// Why the choice is a fallback; nil when the agent chose.
  public var error: AgentError?

  /// The one word for how the choice came about.
  public var policy: PolicyWord { PolicyWord(reason) }

  /// Whether the agent could not be asked, or refused.
  public var isFallback: Bool { error != nil }

  /// Puts together what the reply says of a slot.
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

/// What an agent chose for the slots of a point, or what a call falls back to.
public struct AgentChoices: Hashable, Sendable {
  /// The choices, in the order in which the slots were asked for.
  public var choices: [AgentChoice]
  /// The agent.
  public var agent: String
  /// Whose choices they are.
  public var session: String
  /// Where in the app.
  public var point: String
  /// The segment the decision was made for, after the rules.
  public var segment: String?
  /// The features of the visitor, after the rules.
  public var features: [AgentFeature]
  /// The traits that the caller gave, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// What the caller should know, such as that a code is rather long.
  public var warnings: [String]
  /// Why the choices are a fallback; nil when the agent chose.
  public var error: AgentError?

  /// The choice for a slot; nil when there is none.
  public subscript(slot: String) -> AgentChoice? {
    choices.first { $0.slot.utf8.elementsEqual(slot.utf8) }
  }

  /// The one word for how the choice of the first slot came about.
  public var policy: PolicyWord { choices.first?.policy ?? .none }

  /// Whether the agent could not be asked, or refused.
  public var isFallback: Bool { error != nil }

  /// Puts together what the reply says of every slot.
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
