/// One event as flat, reusable bytes: what parsers fill, the log packs into columns and writers read.
///
/// A record owns one buffer, `bytes`, that holds every text of the event; the fields are slices of
/// it, in any order, and what lies between them means nothing. Filling it again after
/// ``reset(kind:time:)`` allocates nothing once the buffers have grown to the size of the usual
/// event. Use ``Event`` wherever speed does not matter.
///
/// A record says only what was given: which fields a kind must have is checked by ``validate()``.
public struct EventRecord: Sendable {
  /// A text in the record's `bytes`, or no text.
  public struct Slice: Hashable, Sendable {
    /// Index of the first byte.
    public var start: Int32
    /// Number of bytes; -1 when there is no text.
    public var count: Int32

    /// A slice of the record's bytes.
    public init(start: Int, count: Int) {
      self.start = Int32(truncatingIfNeeded: start)
      self.count = Int32(truncatingIfNeeded: count)
    }

    /// No text.
    public static let absent = Slice(start: 0, count: -1)

    /// Whether there is a text.
    public var isPresent: Bool { count >= 0 }

    /// The indices of the text in the record's bytes; empty when there is none.
    public var range: Range<Int> { Int(start)..<Int(start) + max(0, Int(count)) }
  }

  /// The value of an attribute or of a data point.
  public enum Value: Hashable, Sendable {
    /// A finite number; whole numbers up to 2^53 in magnitude included.
    case number(Double)
    /// A whole number beyond 2^53 in magnitude.
    case integer(Int64)
    /// A text.
    case text(Slice)
    /// A truth value.
    case flag(Bool)
  }

  /// One attribute of a context, of metadata, or of one choice's features.
  public struct Attribute: Hashable, Sendable {
    /// The name.
    public var name: Slice
    /// The value.
    public var value: Value

    /// Makes an attribute.
    public init(name: Slice, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The features of one choice: how many of the record's `features` belong to it, in order.
  public struct FeatureGroup: Hashable, Sendable {
    /// The choice.
    public var variant: Slice
    /// How many attributes it has.
    public var count: Int

    /// Makes a group of features.
    public init(variant: Slice, count: Int) {
      self.variant = variant
      self.count = count
    }
  }

  /// The fields that hold one text each. Raw values index ``texts``.
  public enum TextField: Int, CaseIterable, Sendable {
    /// The event's id.
    case id
    /// Whom it is about.
    case unit
    /// What is decided or rewarded.
    case experiment
    /// Where in the app.
    case point
    /// Which of several decisions.
    case slot
    /// What was chosen.
    case variant
    /// What chose.
    case policy
    /// Why.
    case reason
    /// The code of a goal.
    case goal
    /// The kind of a data point.
    case dataKind
    /// The key of a data point.
    case key
    /// The system that wrote the event, or that of a configuration.
    case system
    /// A configuration, as JSON text.
    case configuration
    /// Members of the JSON object that this version gives no meaning to, without braces.
    case unknown
    /// Which instance of the system wrote the event.
    case instance
  }

  /// What happened.
  public var kind: EventKind
  /// When.
  public var time: Timestamp
  /// Every text of the event, UTF-8. A parser may leave other bytes between them, so only the
  /// slices say what is text.
  public var bytes: [UInt8] = []
  /// The single texts, by ``TextField``.
  public var texts: [Slice]
  /// The status of a decision or goal.
  public var status: EventStatus?
  /// The propensity of a decision.
  public var propensity: Double?
  /// The value of a goal.
  public var value: Double?
  /// The revenue of a conversion.
  public var revenue: Double?
  /// Whether a conversion takes an earlier one back.
  public var negative: Bool?
  /// The value of a data point.
  public var dataValue: Value?
  /// Whether `choices` were given, an empty list included.
  public var hasChoices = false
  /// The choices of a decision.
  public var choices: [Slice] = []
  /// Whether `probabilities` were given, an empty list included.
  public var hasProbabilities = false
  /// The probabilities of the choices.
  public var probabilities: [Double] = []
  /// Whether `changed` was given, an empty list included.
  public var hasChanged = false
  /// What a configuration changed.
  public var changed: [Slice] = []
  /// Whether `context` was given, an empty one included.
  public var hasContext = false
  /// What the policy saw of the unit.
  public var context: [Attribute] = []
  /// Whether `features` were given, empty ones included.
  public var hasFeatures = false
  /// The choices that have features, in order.
  public var featureGroups: [FeatureGroup] = []
  /// The features of all choices, group after group.
  public var features: [Attribute] = []
  /// Whether `metadata` was given, an empty one included.
  public var hasMetadata = false
  /// What else was known of a goal or conversion.
  public var metadata: [Attribute] = []

  /// An empty record.
  public init(kind: EventKind = .decision, time: Timestamp = Timestamp(microseconds: 0)) {
    self.kind = kind
    self.time = time
    self.texts = Array(repeating: .absent, count: TextField.allCases.count)
  }

  /// Empties the record and keeps its buffers.
  public mutating func reset(kind: EventKind, time: Timestamp) {
    self.kind = kind
    self.time = time
    bytes.removeAll(keepingCapacity: true)
    for index in texts.indices { texts[index] = .absent }
    status = nil
    propensity = nil
    value = nil
    revenue = nil
    negative = nil
    dataValue = nil
    if hasChoices { choices.removeAll(keepingCapacity: true) }
    if hasProbabilities { probabilities.removeAll(keepingCapacity: true) }
    if hasChanged { changed.removeAll(keepingCapacity: true) }
    if hasContext { context.removeAll(keepingCapacity: true) }
    if hasFeatures {
      featureGroups.removeAll(keepingCapacity: true)
      features.removeAll(keepingCapacity: true)
    }
    if hasMetadata { metadata.removeAll(keepingCapacity: true) }
    (hasChoices, hasProbabilities, hasChanged) = (false, false, false)
    (hasContext, hasFeatures, hasMetadata) = (false, false, false)
  }

  /// The slice of a text field.
  public subscript(field: TextField) -> Slice {
    get { texts[field.rawValue] }
    set { texts[field.rawValue] = newValue }
  }

  /// Copies a text into the record and answers where it stands.
  public mutating func add(_ text: some Sequence<UInt8>) -> Slice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Slice(start: start, count: bytes.count - start)
  }

  /// Copies a text into the record and answers where it stands. This form is for hot loops in other
  /// modules, which would call the general one without knowing the type of its text.
  public mutating func add(_ text: ArraySlice<UInt8>) -> Slice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Slice(start: start, count: bytes.count - start)
  }

  /// Copies a text into the record and answers where it stands.
  public mutating func add(_ text: String) -> Slice {
    add(text.utf8)
  }

  /// The text of a slice; nil when it is absent.
  ///
  /// - Complexity: O(length); makes a string.
  public func string(_ slice: Slice) -> String? {
    guard slice.isPresent else { return nil }
    return String(decoding: bytes[slice.range], as: UTF8.self)
  }

  /// The text of a field; nil when it is absent.
  public func string(_ field: TextField) -> String? {
    string(self[field])
  }
}
