/// An event as flat, reusable bytes, which parsers fill, the log packs into columns and encoders read.
///
/// A record owns one buffer, `bytes`, that holds every text of the event; the fields are slices of it, in any order,
/// and the bytes between them are unused. Filling it again after ``reset(kind:time:)`` allocates nothing once the
/// buffers have grown to the size of a typical event. Use ``Event`` wherever speed does not matter.
///
/// A record holds only what was given: the fields that a kind requires are checked by ``validate()``.
public struct EventRecord: Sendable {
  /// The range of a text in the record's `bytes`, or none.
  public struct Slice: Hashable, Sendable {
    /// The index of the first byte.
    public var start: Int32
    /// The number of bytes; -1 if there is no text.
    public var count: Int32

    /// Creates a slice of the record's bytes.
    public init(start: Int, count: Int) {
      self.start = Int32(truncatingIfNeeded: start)
      self.count = Int32(truncatingIfNeeded: count)
    }

    /// No text.
    public static let absent = Slice(start: 0, count: -1)

    /// Whether there is a text.
    public var isPresent: Bool { count >= 0 }

    /// The indices of the text in the record's bytes; empty if there is none.
    public var range: Range<Int> { Int(start)..<Int(start) + max(0, Int(count)) }
  }

  /// The value of an attribute or of a data point.
  public enum Value: Hashable, Sendable {
    /// A finite number, including integers up to 2^53 in magnitude.
    case number(Double)
    /// An integer beyond 2^53 in magnitude.
    case integer(Int64)
    /// A text.
    case text(Slice)
    /// A truth value.
    case flag(Bool)
  }

  /// An attribute of a context, of metadata, or of one choice's features.
  public struct Attribute: Hashable, Sendable {
    /// The name.
    public var name: Slice
    /// The value.
    public var value: Value

    /// Creates an attribute.
    public init(name: Slice, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The features of one choice: a number of consecutive elements of the record's `features`.
  public struct FeatureGroup: Hashable, Sendable {
    /// The choice.
    public var variant: Slice
    /// The number of attributes.
    public var count: Int

    /// Creates a group of features.
    public init(variant: Slice, count: Int) {
      self.variant = variant
      self.count = count
    }
  }

  /// The fields that hold a single text. Raw values index ``texts``.
  public enum TextField: Int, CaseIterable, Sendable {
    /// The event's id.
    case id
    /// The unit that the event concerns.
    case unit
    /// The experiment that is decided or rewarded.
    case experiment
    /// The point in the app.
    case point
    /// The slot.
    case slot
    /// The chosen variant.
    case variant
    /// The policy.
    case policy
    /// The reason.
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
    /// The members of the JSON object that are not fields known to this version, without braces.
    case unknown
    /// The instance of the system that wrote the event.
    case instance
  }

  /// The kind of the event.
  public var kind: EventKind
  /// The time of the event.
  public var time: Timestamp
  /// The UTF-8 bytes of every text of the event. A parser may leave other bytes between them, so only the slices
  /// define what is text.
  public var bytes: [UInt8] = []
  /// The single texts, by ``TextField``, within the record: an array of their own would be one more place in distant
  /// memory to look at for every event.
  public var texts = InlineArray<15, Slice>(repeating: .absent)
  /// The status of a decision or goal.
  public var status: EventStatus?
  /// The propensity of a decision.
  public var propensity: Double?
  /// The value of a goal.
  public var value: Double?
  /// The revenue of a conversion.
  public var revenue: Double?
  /// Whether a conversion is marked as the reversal of an earlier one.
  public var negative: Bool?
  /// The value of a data point.
  public var dataValue: Value?
  /// Whether `choices` were given, even if empty.
  public var hasChoices = false
  /// The choices of a decision.
  public var choices: [Slice] = []
  /// Whether `probabilities` were given, even if empty.
  public var hasProbabilities = false
  /// The probabilities of the choices.
  public var probabilities: [Double] = []
  /// Whether `changed` was given, even if empty.
  public var hasChanged = false
  /// The names of what a configuration changed.
  public var changed: [Slice] = []
  /// Whether `context` was given, even if empty.
  public var hasContext = false
  /// The attributes of the unit that the policy observed.
  public var context: [Attribute] = []
  /// Whether `features` were given, even if empty.
  public var hasFeatures = false
  /// The choices that have features, in order.
  public var featureGroups: [FeatureGroup] = []
  /// The concatenated features of all choices.
  public var features: [Attribute] = []
  /// Whether `metadata` was given, even if empty.
  public var hasMetadata = false
  /// Additional attributes of a goal or conversion.
  public var metadata: [Attribute] = []

  /// Creates an empty record.
  public init(kind: EventKind = .decision, time: Timestamp = Timestamp(microseconds: 0)) {
    self.kind = kind
    self.time = time
  }

  /// Empties the record, keeping its buffers.
  public mutating func reset(kind: EventKind, time: Timestamp) {
    self.kind = kind
    self.time = time
    bytes.removeAll(keepingCapacity: true)
    texts = InlineArray(repeating: .absent)
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
  @inlinable
  public subscript(field: TextField) -> Slice {
    get { texts[field.rawValue] }
    set { texts[field.rawValue] = newValue }
  }

  /// Copies a text into the record and returns its slice.
  public mutating func add(_ text: some Sequence<UInt8>) -> Slice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Slice(start: start, count: bytes.count - start)
  }

  /// Copies a text into the record and returns its slice. This overload is for hot loops in other modules, where the
  /// generic one would not be specialized.
  public mutating func add(_ text: ArraySlice<UInt8>) -> Slice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return Slice(start: start, count: bytes.count - start)
  }

  /// Copies a text into the record and returns its slice.
  public mutating func add(_ text: String) -> Slice {
    add(text.utf8)
  }

  /// Returns the text of a slice; nil if it is absent.
  ///
  /// - Complexity: O(length); creates a string.
  public func string(_ slice: Slice) -> String? {
    guard slice.isPresent else { return nil }
    return String(decoding: bytes[slice.range], as: UTF8.self)
  }

  /// Returns the text of a field; nil if it is absent.
  public func string(_ field: TextField) -> String? {
    string(self[field])
  }
}
