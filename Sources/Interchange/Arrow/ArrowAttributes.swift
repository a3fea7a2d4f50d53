internal import Arrow
internal import Events

/// An attribute that is a column of an exported Arrow stream.
struct ArrowAttribute: Hashable, Sendable {
  /// The type of the column.
  enum ValueType: Hashable, Sendable {
    case number, text, flag

    /// The type in the schema.
    var arrow: ArrowType {
      switch self {
      case .number: .float64
      case .text: .utf8
      case .flag: .boolean
      }
    }

    /// Creates the type of a value; nil for an integer that no floating-point number is.
    init?(_ value: EventRecord.Value) {
      switch value {
      case .number: self = .number
      case .text: self = .text
      case .flag: self = .flag
      case .integer: return nil
      }
    }
  }

  /// The bytes of the name.
  var bytes: [UInt8]
  /// The type of the column: that of all values, or text if they have several.
  var type: ValueType

  /// The name.
  var name: String { String(decoding: bytes, as: UTF8.self) }
}

/// The attributes that occur in the exported events, and what else the columns depend on.
struct ArrowAttributes: Sendable {
  /// The most attributes of one kind that have a column; the others are only in the column `json`.
  static let most = 1_000

  /// The attributes of contexts, in the order in which most events have them.
  private(set) var context: [ArrowAttribute] = []
  /// The attributes of metadata.
  private(set) var metadata: [ArrowAttribute] = []
  /// The attributes of choices.
  private(set) var features: [ArrowAttribute] = []
  /// Whether a decision has features, even if no choice has one.
  private(set) var hasFeatures = false
  /// Whether an event names its system.
  private(set) var hasSystems = false
  /// Whether an event names the instance of its system.
  private(set) var hasInstances = false
  /// Whether the other columns do not show all of some event.
  var needsJSON = false

  /// The index of each attribute, by a byte for the list and the name.
  private var places: [[UInt8]: Int] = [:]

  init() {}

  /// Adds the attributes of an event.
  mutating func add(_ event: EventRecord) {
    hasSystems = hasSystems || event[.system].isPresent
    hasInstances = hasInstances || event[.instance].isPresent
    hasFeatures = hasFeatures || event.hasFeatures
    add(event.context[...], of: event, to: \.context, "c")
    add(event.metadata[...], of: event, to: \.metadata, "m")
    var start = 0
    for group in event.featureGroups {
      add(event.features[start..<start + group.count], of: event, to: \.features, "f")
      start += group.count
    }
  }

  /// Adds attributes to a list. A new one is put behind the one before it, or else before the one behind it, so that
  /// lists in which some are missing have one order.
  private mutating func add(
    _ attributes: ArraySlice<EventRecord.Attribute>, of event: EventRecord,
    to list: WritableKeyPath<ArrowAttributes, [ArrowAttribute]>, _ role: Unicode.Scalar
  ) {
    var before: Int?
    for (index, attribute) in zip(attributes.indices, attributes) {
      let key = key(attribute, event, role)
      let type = ArrowAttribute.ValueType(attribute.value) ?? .number
      if let place = places[key] {
        if self[keyPath: list][place].type != type { self[keyPath: list][place].type = .text }
        before = place
      } else if self[keyPath: list].count < Self.most {
        var behind: Int?
        for later in attributes[index...] where behind == nil {
          behind = places[self.key(later, event, role)]
        }
        let place = before.map { $0 + 1 } ?? behind ?? self[keyPath: list].count
        self[keyPath: list].insert(
          ArrowAttribute(bytes: Array(key.dropFirst()), type: type), at: place)
        for (index, attribute) in self[keyPath: list].enumerated() {
          places[[key[0]] + attribute.bytes] = index
        }
        before = place
      }
    }
  }

  private func key(
    _ attribute: EventRecord.Attribute, _ event: EventRecord, _ role: Unicode.Scalar
  ) -> [UInt8] {
    [UInt8(truncatingIfNeeded: role.value)] + event.bytes[attribute.name.range]
  }

  /// Whether the columns show all of an event: its attributes have a column of their type, in their order.
  func show(_ event: EventRecord) -> Bool {
    if event[.unknown].isPresent { return false }
    if case .integer = event.dataValue { return false }
    if event.hasContext, event.context.isEmpty { return false }
    if event.hasMetadata, event.metadata.isEmpty { return false }
    guard show(event.context[...], of: event, in: context, "c"),
      show(event.metadata[...], of: event, in: metadata, "m")
    else { return false }
    var start = 0
    for group in event.featureGroups {
      let range = start..<start + group.count
      start = range.upperBound
      guard show(event.features[range], of: event, in: features, "f") else { return false }
    }
    return true
  }

  private func show(
    _ attributes: ArraySlice<EventRecord.Attribute>, of event: EventRecord,
    in columns: [ArrowAttribute], _ role: Unicode.Scalar
  ) -> Bool {
    var last = -1
    for attribute in attributes {
      guard let place = places[key(attribute, event, role)], place > last,
        columns[place].type == ArrowAttribute.ValueType(attribute.value)
      else { return false }
      last = place
    }
    return true
  }
}
