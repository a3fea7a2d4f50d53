/// An event: an envelope with the time and the unit, and a payload of one of eight kinds.
///
/// An event is a plain value. The log assigns its position (0, 1, 2, ...) on append.
public struct Event: Hashable, Sendable {
  /// The event's own time.
  public var time: Timestamp
  /// The unit that the event concerns. Empty only in life-cycle events that concern everyone.
  public var unit: UnitID
  /// The unique id of the event, if its source has ids. Two events with the same id are the same event.
  public var id: EventID?
  /// The instance of the system that wrote the event, if it has a name.
  public var instance: InstanceID?
  /// The payload.
  public var payload: Payload {
    didSet { if payload.configuredSystem != nil { writer = nil } }
  }
  /// The members of the JSON object that are not fields known to this version, preserved verbatim.
  public var unknownFields: JSONMembers
  /// The system that wrote the event; nil for a configuration, which names its own.
  private var writer: SystemID?

  /// Creates an event. A configuration names its system itself, and `system` is ignored.
  public init(
    time: Timestamp, unit: UnitID, id: EventID? = nil, system: SystemID? = nil,
    instance: InstanceID? = nil, payload: Payload, unknownFields: JSONMembers = JSONMembers()
  ) {
    self.time = time
    self.unit = unit
    self.id = id
    self.instance = instance
    self.payload = payload
    self.unknownFields = unknownFields
    writer = payload.configuredSystem == nil ? system : nil
  }

  /// The system that wrote the event; nil if there is none, or an older version did not record it.
  ///
  /// A configuration always has one, that of its payload: setting nil has no effect.
  public var system: SystemID? {
    get { payload.configuredSystem ?? writer }
    set {
      if case .configurationApplied(var configuration) = payload {
        guard let newValue else { return }
        configuration.system = newValue
        payload = .configurationApplied(configuration)
      } else {
        writer = newValue
      }
    }
  }

  /// The kind of the payload.
  public var kind: EventKind { payload.kind }
}

/// The payload of an event.
public enum Payload: Hashable, Sendable {
  /// The assignment of a variant of an experiment to a unit.
  case decision(Decision)
  /// A reward signal for an experiment, from a unit.
  case goal(Goal)
  /// A goal not tied to one experiment.
  case conversion(Conversion)
  /// A fact about a unit.
  case dataPoint(DataPoint)
  /// The end of a session.
  case sessionExpired(SessionExpired)
  /// The removal of a saved assignment.
  case assignmentRemoved(AssignmentRemoved)
  /// The confirmation of a provisional decision, which counts from here on.
  case decisionConfirmed(DecisionConfirmed)
  /// A new configuration of a system.
  case configurationApplied(ConfigurationApplied)

  /// The kind of the payload.
  public var kind: EventKind {
    switch self {
    case .decision: .decision
    case .goal: .goal
    case .conversion: .conversion
    case .dataPoint: .dataPoint
    case .sessionExpired: .sessionExpired
    case .assignmentRemoved: .assignmentRemoved
    case .decisionConfirmed: .decisionConfirmed
    case .configurationApplied: .configurationApplied
    }
  }

  /// The system that a configuration is for; nil for any other payload.
  fileprivate var configuredSystem: SystemID? {
    if case .configurationApplied(let configuration) = self { configuration.system } else { nil }
  }
}

/// The members of a JSON object as text, without the braces: `"a":1,"b":[2]`. Empty if there are none.
///
/// The text is preserved without interpretation, so that a field of a later version or of another system survives
/// storage in the log.
public struct JSONMembers: Hashable, Sendable {
  /// The members as UTF-8 text, valid JSON when put between braces.
  public var text: String

  /// Wraps members that are assumed to be valid JSON, which is checked on append; none by default.
  public init(validated text: String = "") {
    self.text = text
  }

  /// Whether there are no members.
  public var isEmpty: Bool { text.isEmpty }

  /// Compares the UTF-8 bytes.
  public static func == (a: JSONMembers, b: JSONMembers) -> Bool { a.text.hasSameBytes(as: b.text) }

  /// Hashes the UTF-8 bytes, consistently with `==`.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// Any JSON value as text, preserved without interpretation.
public struct JSONText: Hashable, Sendable {
  /// The value as UTF-8 text, valid JSON.
  public var text: String

  /// Wraps a value that is assumed to be valid JSON, which is checked on append.
  public init(validated text: String) {
    self.text = text
  }

  /// The JSON value `null`.
  public static let null = JSONText(validated: "null")

  /// Compares the UTF-8 bytes.
  public static func == (a: JSONText, b: JSONText) -> Bool { a.text.hasSameBytes(as: b.text) }

  /// Hashes the UTF-8 bytes, consistently with `==`.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
