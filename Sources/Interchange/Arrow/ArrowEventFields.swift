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
        let expected = column.use?.expected ?? "must be a text; cast it"
        throw Self.failure(name, field, "is \(field.type.name), which \(expected)")
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
    case "context", "metadata":
      guard ArrowUse.attributes.accepts(field.type) else {
        throw Self.failure(
          name, field, "is \(field.type.name), which \(ArrowUse.attributes.expected)")
      }
      if field.name == "context" { wholeContext = index } else { wholeMetadata = index }
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

  private static func failure(_ name: String, _ field: ArrowField, _ reason: String) -> ImportError {
    ImportError(.badData, "\(name): the column \"\(field.name.prefix(60))\" \(reason)")
  }
}

extension ArrowEventColumn {
  /// Whether the field can be read from a column of a type.
  func accepts(_ type: ArrowType) -> Bool {
    if let use { return use.accepts(type) }
    switch type {
    case .text, .textView, .null: return true
    default: return false
    }
  }

  /// The use of the column; nil for one of texts.
  fileprivate var use: ArrowUse? { content.flatMap { ArrowUse($0) } }
}
