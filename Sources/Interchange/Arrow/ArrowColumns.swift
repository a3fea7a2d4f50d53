internal import Arrow
internal import EventLog
internal import Events

/// A field of events that is a column of an exported Arrow stream, in the order of the columns. The raw value is the
/// name of the column.
enum ArrowEventColumn: String, CaseIterable, Sendable {
  case type, time, unit, experiment, point, slot, variant, choices, propensity, probabilities
  case policy, reason, status, goal, value, revenue, negative, kind, key
  case valueText = "value_text"
  case valueFlag = "value_flag"
  case features, changed, configuration, id, system, instance, json

  /// The rows of the field in the table of events; none for the column of whole events.
  private var rows: [EventFieldRow] {
    let isValue = self == .valueText || self == .valueFlag
    return EventFieldRow.named(isValue ? ArrowEventColumn.value.rawValue : rawValue)
      .filter { !isValue || $0.content == .value }
  }

  /// What the field holds; nil for a column of texts that is no field of its own.
  var content: EventFieldRow.Content? {
    switch self {
    case .valueText, .json: nil
    case .valueFlag: .flag
    default: rows.first?.content
    }
  }

  /// Whether all kinds of events have the field.
  var isOfEveryKind: Bool { rows.allSatisfy(\.isOfEveryKind) }

  /// The kinds of events that have the field.
  var kinds: Set<EventKind> {
    self == .json ? Set(EventKind.allCases) : rows.reduce(into: []) { $0.formUnion($1.kinds) }
  }

  /// The kinds that have the field, as bits by their raw value.
  var kindBits: UInt16 { kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) } }

  /// The text of the event in the column; nil if it is none.
  var text: EventRecord.TextField? {
    switch content {
    case .name(let field), .text(let field), .json(let field): field
    default: nil
    }
  }

  /// The vocabulary of the log that has the names in the column, which become a dictionary; nil for texts that are in
  /// the column itself, because most of them are different, and for other types.
  var vocabulary: Vocabulary? {
    self == .choices ? .variants : self == .unit ? nil : text?.vocabulary
  }
}

/// The columns of an exported Arrow stream.
struct ArrowColumns: Sendable {
  /// The metadata by which a stream of this writer is recognized.
  static let mark = "bandolier.events"
  /// The version of the columns.
  static let version = "1"

  /// The kinds of events that are exported.
  let kinds: Set<EventKind>
  /// The fields of events.
  let fixed: [ArrowEventColumn]
  /// The attributes.
  let attributes: ArrowAttributes

  /// Creates the columns of the events of some kinds.
  init(_ kinds: Set<EventKind>, _ attributes: ArrowAttributes) {
    self.kinds = kinds
    self.attributes = attributes
    fixed = ArrowEventColumn.allCases.filter { column in
      // A stream without events has the fields of all kinds.
      guard column.isOfEveryKind || !column.kinds.isDisjoint(with: kinds) else { return false }
      return switch column {
      case .system: attributes.hasSystems
      case .instance: attributes.hasInstances
      case .json: attributes.needsJSON
      case .features: !attributes.features.isEmpty || attributes.hasFeatures
      default: true
      }
    }
  }

  /// The attributes of contexts that have a column.
  var context: [ArrowAttribute] { kinds.contains(.decision) ? attributes.context : [] }

  /// The attributes of metadata that have a column.
  var metadata: [ArrowAttribute] {
    kinds.contains(.goal) || kinds.contains(.conversion) ? attributes.metadata : []
  }

  /// The attributes to read from the log: those of contexts, those of metadata, and the values of data points.
  var selections: [AttributeSelection] {
    context.map { .context($0.name) } + metadata.map { .metadata($0.name) }
      + (kinds.contains(.dataPoint) ? [.data] : [])
  }

  /// The schema of the stream.
  var schema: ArrowSchema {
    ArrowSchema(
      ordered(attributeFields) { field($0) },
      metadata: [.init(key: Self.mark, value: Self.version)])
  }

  /// Returns something for each column in the order of the schema, in which attributes stand before the fields that few
  /// events have.
  func ordered<Column>(
    _ attributes: [Column], _ make: (ArrowEventColumn) -> Column
  ) -> [Column] {
    let last = fixed.firstIndex {
      [.features, .changed, .configuration, .id, .system, .instance, .json].contains($0)
    }
    let (first, rest) = (fixed[..<(last ?? fixed.count)], fixed[(last ?? fixed.count)...])
    return first.map(make) + attributes + rest.map(make)
  }

  private var attributeFields: [ArrowField] {
    context.map { ArrowField("context.\($0.name)", $0.type.arrow) }
      + metadata.map { ArrowField("metadata.\($0.name)", $0.type.arrow) }
  }

  private func field(_ column: ArrowEventColumn) -> ArrowField {
    let type: ArrowType =
      switch column.content {
      case .time: .timestamp(.microsecond, zone: "UTC")
      case .number: .float64
      case .flag: .boolean
      case .texts:
        .list(ArrowField("item", .utf8, dictionary: Self.dictionary(of: column)), isLarge: false)
      case .probabilities: .list(ArrowField("item", .float64), isLarge: false)
      case .features: featuresType
      default: .utf8
      }
    let isRequired = column == .type || column == .time || column == .unit
    return ArrowField(
      column.rawValue, type, isNullable: !isRequired,
      dictionary: column == .choices ? nil : Self.dictionary(of: column))
  }

  private var featuresType: ArrowType {
    let values = attributes.features.map { ArrowField($0.name, $0.type.arrow) }
    return .map(
      ArrowField(
        "entries",
        .structure([
          ArrowField("key", .utf8, isNullable: false), ArrowField("value", .structure(values)),
        ]), isNullable: false))
  }

  /// The number of the dictionary of the kinds of events.
  static let kindDictionary: Int64 = 100
  /// The number of the dictionary of statuses.
  static let statusDictionary: Int64 = 101

  /// Returns the dictionary of a column; nil if it has none.
  static func dictionary(of column: ArrowEventColumn) -> ArrowDictionaryEncoding? {
    switch column {
    case .type: ArrowDictionaryEncoding(id: kindDictionary)
    case .status: ArrowDictionaryEncoding(id: statusDictionary)
    default: column.vocabulary.map { ArrowDictionaryEncoding(id: Int64($0.rawValue)) }
    }
  }
}
