/// One thing that happened: an envelope with the time and the unit, and a payload of one of eight
/// kinds.
///
/// An event is a plain value. The log adds its position (0, 1, 2, ...) on append.
public struct Event: Hashable, Sendable {
  /// The event's own time.
  public var time: Timestamp
  /// Whom it is about. Empty only in life-cycle events that concern everyone.
  public var unit: UnitID
  /// Tells the event apart from every other one, where its source has such ids. An event with the
  /// same id twice is the same event.
  public var id: EventID?
  /// Which instance of the system wrote it, where it has a name.
  public var instance: InstanceID?
  /// What happened.
  public var payload: Payload {
    didSet { if payload.configuredSystem != nil { writer = nil } }
  }
  /// The members of the JSON object that this version gives no meaning to, kept as they came.
  public var unknownFields: JSONMembers
  /// The system that wrote the event, nil for a configuration, which names its own.
  private var writer: SystemID?

  /// Makes an event. A configuration names its system itself, whatever `system` says.
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

  /// Which deciding system wrote the event; nil when none did, or an older version that did not say so.
  ///
  /// A configuration always has one, which is that of its payload: setting nil leaves it.
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

  /// Which kind the payload is of.
  public var kind: EventKind { payload.kind }
}

/// What happened in an event.
public enum Payload: Hashable, Sendable {
  /// A unit was given a variant of an experiment.
  case decision(Decision)
  /// A reward signal for an experiment, from a unit.
  case goal(Goal)
  /// A goal not tied to one experiment.
  case conversion(Conversion)
  /// Something known of a unit.
  case dataPoint(DataPoint)
  /// A session ended.
  case sessionExpired(SessionExpired)
  /// A saved assignment was given up.
  case assignmentRemoved(AssignmentRemoved)
  /// A provisional decision counts from here on.
  case decisionConfirmed(DecisionConfirmed)
  /// A system took a new configuration.
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

/// JSON text of an object's members, without the braces: `"a":1,"b":[2]`. Empty when there are none.
///
/// It is carried unread, so that a field of a later version or of another system survives the way
/// through the log.
public struct JSONMembers: Hashable, Sendable {
  /// The members as UTF-8 text, valid JSON when put between braces.
  public var text: String

  /// Wraps members that are known to be valid JSON, as appending them checks again; none by default.
  public init(validated text: String = "") {
    self.text = text
  }

  /// Whether there is no member.
  public var isEmpty: Bool { text.isEmpty }

  /// Compares the UTF-8 bytes.
  public static func == (a: JSONMembers, b: JSONMembers) -> Bool { a.text.hasSameBytes(as: b.text) }

  /// Hashes the UTF-8 bytes, to agree with `==`.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// Any JSON value as text, carried unread.
public struct JSONText: Hashable, Sendable {
  /// The value as UTF-8 text, valid JSON.
  public var text: String

  /// Wraps a value that is known to be valid JSON, as appending it checks again.
  public init(validated text: String) {
    self.text = text
  }

  /// The JSON value `null`.
  public static let null = JSONText(validated: "null")

  /// Compares the UTF-8 bytes.
  public static func == (a: JSONText, b: JSONText) -> Bool { a.text.hasSameBytes(as: b.text) }

  /// Hashes the UTF-8 bytes, to agree with `==`.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
