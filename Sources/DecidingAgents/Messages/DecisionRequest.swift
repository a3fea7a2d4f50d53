public import Events

/// What an app asks of an agent: one choice for each slot of a point.
public struct DecisionRequest: Hashable, Sendable {
  /// Whether the decision counts at once.
  public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
    /// It counts from now on.
    case confirmed
    /// It is made and held, and counts once it is asked for with ``confirmed``.
    case provisional
  }

  /// The agent that decides.
  public var agent: String
  /// Whose decision it is; nil for a session of its own with a fresh id, which the reply names.
  public var session: String?
  /// Where in the app; `point-1` when nil.
  public var point: String?
  /// What to choose from, slot by slot in this order; nil for all slots last recorded at the point with
  /// their choices, and for slot `decision-1` with `a` and `b` when there are none.
  public var slots: [SlotChoices]?
  /// Whether the decision counts at once.
  public var status: Status
  /// The only choices that are permitted; nil for all.
  public var allowed: [String]?
  /// Choices that are not permitted.
  public var excluding: [String]
  /// The segment the visitor is in.
  public var segment: String?
  /// Features of the visitor, each with a weight.
  public var features: [AgentFeature]
  /// Traits of the visitor in the order given, a key also several times.
  public var traits: [AgentTrait]
  /// What rules may read, by name; it is neither recorded nor reported back.
  public var inputs: JSONObject
  /// What kind of visitor it is.
  public var visitor: AgentVisitor

  /// Asks an agent for a decision.
  public init(
    agent: String, session: String? = nil, point: String? = nil, slots: [SlotChoices]? = nil,
    status: Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], visitor: AgentVisitor = AgentVisitor()
  ) {
    self.agent = agent
    self.session = session
    self.point = point
    self.slots = slots
    self.status = status
    self.allowed = allowed
    self.excluding = excluding
    self.segment = segment
    self.features = features
    self.traits = traits
    self.inputs = inputs
    self.visitor = visitor
  }
}

/// One slot of a point and what it may be given.
public struct SlotChoices: Hashable, Sendable {
  /// Its code.
  public var slot: String
  /// The codes of its choices, the default first; one that is listed twice counts at its first place. Nil
  /// for those last recorded at the point and slot.
  public var choices: [String]?

  /// Names the choices of a slot; of `decision-1` by default.
  public init(slot: String = SlotID.standard.rawValue, choices: [String]?) {
    self.slot = slot
    self.choices = choices
  }
}

/// A feature of a visitor.
public struct AgentFeature: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// How strong it is.
  public var weight: Double

  /// Names a feature.
  public init(_ name: String, weight: Double = 1) {
    self.name = name
    self.weight = weight
  }
}

/// Something known of a visitor: a key and a value.
public struct AgentTrait: Hashable, Sendable {
  /// What is known.
  public var key: String
  /// Its value.
  public var value: String

  /// Makes a trait.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// What kind of visitor asks. Nothing is recorded of a bot, nor of someone who does not want to be tracked.
public struct AgentVisitor: Hashable, Sendable {
  /// Whether it is a machine.
  public var isBot: Bool
  /// Whether it asks not to be tracked.
  public var doNotTrack: Bool

  /// Describes a visitor; an ordinary one by default.
  public init(isBot: Bool = false, doNotTrack: Bool = false) {
    self.isBot = isBot
    self.doNotTrack = doNotTrack
  }
}
