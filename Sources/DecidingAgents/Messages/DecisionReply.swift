internal import DecidingCore
public import Events

/// The answer to a decision request: one choice for each slot.
public struct DecisionReply: Hashable, Sendable {
  /// The agent that decided.
  public var agent: String
  /// The session of the decision; a fresh id when the request named none.
  public var session: String
  /// The point in the app.
  public var point: String
  /// One choice for each slot, in the order in which the slots were requested.
  public var decisions: [AgentDecision]
  /// The segment used for the decision, after the rules.
  public var segment: String?
  /// The features of the visitor, after the rules.
  public var features: [AgentFeature]
  /// The traits given by the caller, written `cust/KEY:VALUE`, in the order given.
  public var traits: [String]
  /// Warnings for the caller, such as for an overly long code.
  public var warnings: [String]
  /// Whether the decision is the first of a session with this agent, or the first after it expired.
  public var isNewSession: Bool

  /// Creates a reply.
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

  /// Returns the decision for a slot; nil when it was not requested.
  public subscript(slot: String) -> AgentDecision? { decisions.first { $0.slot == slot } }

  /// The policy word of the first slot.
  public var policy: PolicyWord { decisions.first?.policy ?? .none }
}

/// The decision for one slot, with its reason.
public struct AgentDecision: Hashable, Sendable {
  /// The slot.
  public var slot: String
  /// The code of the choice.
  public var code: String
  /// The choices that were available, in order.
  public var choices: [String]
  /// The reason for the choice.
  public var reason: Reason
  /// `confirmed` or `provisional`; `excluded` when the unit is not eligible, and for answers that are not
  /// recorded.
  public var status: EventStatus
  /// The probability with which the choice was chosen at the time; nil when unknown.
  public var propensity: Double?
  /// The probability of each of ``choices``; nil unless this call made the choice. A preview of a draw has
  /// these instead of a propensity.
  public var probabilities: [Double]?
  /// The policy that chose, as recorded in the log; nil when there was none.
  public var policyName: String?
  /// The display name of the choice; nil when it has none.
  public var name: String?
  /// The metadata of the choice.
  public var meta: JSONObject

  /// Creates the decision for a slot.
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

  /// The policy word: how the choice came about.
  public var policy: PolicyWord { PolicyWord(reason) }
}
