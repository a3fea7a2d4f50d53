public import Events

/// A request for a decision: one choice for each slot of a point.
public struct DecisionRequest: Hashable, Sendable {
  /// Whether the decision counts at once.
  public enum Status: String, Hashable, Sendable, CaseIterable, Codable {
    /// The decision counts immediately.
    case confirmed
    /// The decision is held, and counts once it is requested again as ``confirmed``.
    case provisional
  }

  /// The agent that decides.
  public var agent: String
  /// The session; nil for a session of its own with a fresh id, which the reply names.
  public var session: String?
  /// The point in the app; `point-1` when nil.
  public var point: String?
  /// The slots and their choices, in order; nil for all slots last recorded at the point with their choices,
  /// or for slot `decision-1` with `a` and `b` when there are none.
  public var slots: [SlotChoices]?
  /// Whether the decision counts at once.
  public var status: Status
  /// The only choices that are permitted; nil for all.
  public var allowed: [String]?
  /// Choices that are not permitted.
  public var excluding: [String]
  /// The segment of the visitor.
  public var segment: String?
  /// Features of the visitor, each with a weight.
  public var features: [AgentFeature]
  /// Traits of the visitor in the order given; a key can occur several times.
  public var traits: [AgentTrait]
  /// Values that rules and a learned policy read, by name; those inside of objects have the names of all, joined with
  /// dots. They are recorded as the context of the decision, as ``AgentDefinition/recordInputs`` says, and none is
  /// returned.
  public var inputs: JSONObject
  /// Attributes of choices, by their codes, beside those of the definition. They are recorded as the features of the
  /// decision.
  public var choiceFeatures: [String: JSONObject]
  /// The kind of visitor.
  public var visitor: AgentVisitor
  /// Whether a provisional decision is one of many that were fetched ahead, which goals and exposures of the session
  /// confirm.
  package var isPrefetch = false

  /// Creates a request.
  public init(
    agent: String, session: String? = nil, point: String? = nil, slots: [SlotChoices]? = nil,
    status: Status = .confirmed, allowed: [String]? = nil, excluding: [String] = [],
    segment: String? = nil, features: [AgentFeature] = [], traits: [AgentTrait] = [],
    inputs: JSONObject = [:], choiceFeatures: [String: JSONObject] = [:],
    visitor: AgentVisitor = AgentVisitor()
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
    self.choiceFeatures = choiceFeatures
    self.visitor = visitor
  }
}

/// A slot of a point and its choices.
public struct SlotChoices: Hashable, Sendable {
  /// The code of the slot.
  public var slot: String
  /// The codes of the choices, the default first; a duplicate counts at its first position. Nil for those
  /// last recorded at the point and slot.
  public var choices: [String]?

  /// Creates the choices of a slot; of `decision-1` by default.
  public init(slot: String = SlotID.standard.rawValue, choices: [String]?) {
    self.slot = slot
    self.choices = choices
  }
}

/// A feature of a visitor.
public struct AgentFeature: Hashable, Sendable {
  /// The name of the feature.
  public var name: String
  /// The weight of the feature.
  public var weight: Double

  /// Creates a feature.
  public init(_ name: String, weight: Double = 1) {
    self.name = name
    self.weight = weight
  }
}

/// A trait of a visitor: a key and a value.
public struct AgentTrait: Hashable, Sendable {
  /// The key of the trait.
  public var key: String
  /// The value of the trait.
  public var value: String

  /// Creates a trait.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// The kind of visitor. Nothing is recorded for bots, nor for visitors who opted out of tracking.
public struct AgentVisitor: Hashable, Sendable {
  /// Whether the visitor is a bot.
  public var isBot: Bool
  /// Whether the visitor opted out of tracking.
  public var doNotTrack: Bool

  /// Creates a visitor; an ordinary one by default.
  public init(isBot: Bool = false, doNotTrack: Bool = false) {
    self.isBot = isBot
    self.doNotTrack = doNotTrack
  }
}
