public import DecidingCore
public import Events

/// What an agent answers: one choice for each slot.
public struct DecisionReply: Hashable, Sendable {
  /// The agent that decided.
  public var agent: String
  /// Whose decision it is; a fresh id when the request named none.
  public var session: String
  /// Where in the app.
  public var point: String
  /// One choice for each slot, in the order in which the slots were asked for.
  public var decisions: [AgentDecision]
  /// The segment the decision was made for, after the rules.
  public var segment: String?
  /// The features of the visitor, after the rules.
  public var features: [AgentFeature]
  /// The traits that the caller gave, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// What the caller should know, such as that a code is rather long.
  public var warnings: [String]
  /// Whether the decision is the first of a session with this agent, or the first after it expired.
  public var isNewSession: Bool

  /// Makes a reply.
  public init(
    agent: String, session: String, point: String, decisions: [AgentDecision],
    segment: String? = nil, features: [AgentFeature] = [], traits: [String] = [],
    warnings: [String] = [], isNewSession: Bool = false
  ) {
    self.agent = agent
    self.session = session
    self.point = point
    self.decisions = decisions
    self.segment = segment
    self.features = features
    self.traits = traits
    self.warnings = warnings
    self.isNewSession = isNewSession
  }

  /// The choice of a slot; nil when it was not asked for.
  public subscript(slot: String) -> AgentDecision? { decisions.first { $0.slot == slot } }

  /// The policy word of the first slot.
  public var policy: PolicyWord { decisions.first?.policy ?? .none }
}

/// What one slot was given, and why.
public struct AgentDecision: Hashable, Sendable {
  /// The slot.
  public var slot: String
  /// The code of the choice.
  public var code: String
  /// What it was chosen from, in order.
  public var choices: [String]
  /// Why it was chosen.
  public var reason: Reason
  /// `confirmed` or `provisional`; `excluded` when the unit is not in, which goes for answers that are not
  /// recorded too.
  public var status: EventStatus
  /// The probability with which the choice was chosen when it was; nil when that is not known.
  public var propensity: Double?
  /// The probability of each of ``choices``; nil unless the choice was chosen by this very call. A preview
  /// of a draw has these alone to tell.
  public var probabilities: [Double]?
  /// The policy that chose, as the log has it; nil where none did.
  public var policyName: String?
  /// The friendly name of the choice; nil when it has none.
  public var name: String?
  /// What else is known of the choice.
  public var meta: JSONObject

  /// Makes the answer for a slot.
  public init(
    slot: String, code: String, choices: [String] = [], reason: Reason,
    status: EventStatus = .confirmed, propensity: Double? = nil, probabilities: [Double]? = nil,
    policyName: String? = nil, name: String? = nil, meta: JSONObject = [:]
  ) {
    self.slot = slot
    self.code = code
    self.choices = choices
    self.reason = reason
    self.status = status
    self.propensity = propensity
    self.probabilities = probabilities
    self.policyName = policyName
    self.name = name
    self.meta = meta
  }

  /// The one word for how the choice came about.
  public var policy: PolicyWord { PolicyWord(reason) }
}
