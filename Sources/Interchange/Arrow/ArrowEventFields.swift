internal import Arrow
internal import Events

/// Which column of an Arrow table is which field of events.
struct ArrowEventFields: Sendable {
  /// A column that is a text of the event.
  struct Text: Sendable {
    let index: Int
    let column: ArrowEventColumn
    let field: EventRecord.TextField
  }

  /// A column that is an attribute.
  struct Attribute: Sendable {
    let index: Int
    let name: [UInt8]
  }

  /// The columns of the fields that are not texts, by the field.
  private(set) var columns: [ArrowEventColumn: Int] = [:]
  /// The columns of texts.
  private(set) var texts: [Text] = []
  /// The columns of attributes of contexts, in order.
  private(set) var context: [Attribute] = []
  /// The columns of attributes of metadata, in order.
  private(set) var metadata: [Attribute] = []
  /// The column with all attributes of contexts; nil if there is none.
  private(set) var wholeContext: Int?
  /// The column with all attributes of metadata; nil if there is none.
  private(set) var wholeMetadata: Int?

  /// Looks up the columns of a schema.
  ///
  /// - Throws: ``ImportError`` if a column is no field of events, or has a type that the field cannot have.
  init(_ schema: ArrowSchema, _ name: String) throws(ImportError) {
    var seen: Set<[UInt8]> = []
    for (index, field) in schema.fields.enumerated() {
      guard seen.insert(Array(field.name.utf8)).inserted else {
        throw Self.failure(name, field, "occurs twice; rename one of them")
      }
      try add(field, index, name)
    }
    for required in [ArrowEventColumn.type, .time] where columns[required] == nil {
      throw ImportError(
        .badData,
        "\(name): there is no column \"\(required.rawValue)\"; name the columns as the fields of JSON Lines, or map "
          + "them with --map")
    }
  }

  private mutating func add(
    _ field: ArrowField, _ index: Int, _ name: String
  ) throws(ImportError) {
    if let column = ArrowEventColumn(rawValue: field.name) {
      guard column.accepts(field.type) else {
        throw Self.failure(name, field, "is \(field.type.name), which \(column.expected)")
      }
      if let text = column.text {
        texts.append(Text(index: index, column: column, field: text))
      } else {
        columns[column] = index
      }
      return
    }
    let bytes = Array(field.name.utf8)
    switch field.name {
    case _ where bytes.starts(with: "context.".utf8):
      context.append(Attribute(index: index, name: Array(bytes.dropFirst("context.".utf8.count))))
    case _ where bytes.starts(with: "metadata.".utf8):
      metadata.append(Attribute(index: index, name: Array(bytes.dropFirst("metadata.".utf8.count))))
    case "context": wholeContext = index
    case "metadata": wholeMetadata = index
    // pandas writes its index as a column.
    case _ where bytes.starts(with: "__index_level_".utf8): break
    default:
      throw Self.failure(
        name, field,
        "is no field of events; name it context.\(field.name.prefix(40)) or "
          + "metadata.\(field.name.prefix(40)), leave it out, or say with --map which column is what"
      )
    }
  }

  private static func failure(_ name: String, _ field: ArrowField, _ reason: String) -> ImportError
  {
    ImportError(.badData, "\(name): the column \"\(field.name.prefix(60))\" \(reason)")
  }
}

extension ArrowEventColumn {
  /// Whether the field can be read from a column of a type.
  func accepts(_ type: ArrowType) -> Bool {
    switch self {
    case .time: type.isText || type.isTime || type.isNumber
    case .propensity, .value, .revenue: type.isNumber
    case .negative, .valueFlag: type == .boolean || type == .null
    case .choices, .changed: type.element.map { $0.isText || $0.isNumber } ?? (type == .null)
    case .probabilities: type.element.map(\.isNumber) ?? (type == .null)
    case .features:
      switch type {
      case .map, .structure, .null: true
      default: false
      }
    case .type, .status, .valueText, .configuration, .json: type.isText
    default: type.isText || type.isNumber
    }
  }

  /// What the column must be.
  fileprivate var expected: String {
    switch self {
    case .time: "must be a timestamp, a text or a number since 1970"
    case .propensity, .value, .revenue: "must be a number"
    case .negative, .valueFlag: "must be a truth value"
    case .choices, .changed: "must be a list of texts"
    case .probabilities: "must be a list of numbers"
    case .features: "must be a map from the variant to its attributes"
    default: "must be a text"
    }
  }
}

extension ArrowType {
  fileprivate var isText: Bool {
    switch self {
    case .text, .textView, .null: true
    default: false
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .floatingPoint, .decimal, .null: true
    default: false
    }
  }

  fileprivate var isTime: Bool {
    switch self {
    case .timestamp, .date32, .date64: true
    default: false
    }
  }

  /// The type of the elements of a list; nil for other types.
  fileprivate var element: ArrowType? {
    switch self {
    case .list(let field, _), .fixedSizeList(let field, _): field.type
    default: nil
    }
  }
}
