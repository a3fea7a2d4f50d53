internal import Arrow
internal import Events

// Attributes of contexts and metadata.
extension ArrowEventCells {
  /// Adds the attributes of a row to an event.
  func addAttributes(
    _ row: Int, _ event: inout EventRecord, _ values: ArrowValueReader
  ) throws(Rejection) {
    for index in context.indices where !context[index].cells.isNull(row) {
      guard event.kind == .decision else { throw Self.noAttributes("context", event.kind) }
      event.hasContext = true
      event.context.append(try Self.attribute(context[index], row, &event, values))
    }
    for index in metadata.indices where !metadata[index].cells.isNull(row) {
      try Self.requireMetadata(event)
      event.hasMetadata = true
      event.metadata.append(try Self.attribute(metadata[index], row, &event, values))
    }
    if let wholeContext, !wholeContext.isNull(row) {
      guard event.kind == .decision else { throw Self.noAttributes("context", event.kind) }
      event.hasContext = true
      try values.forEachAttribute(wholeContext, row, in: &event) { $0.context.append($1) }
    }
    if let wholeMetadata, !wholeMetadata.isNull(row) {
      try Self.requireMetadata(event)
      event.hasMetadata = true
      try values.forEachAttribute(wholeMetadata, row, in: &event) { $0.metadata.append($1) }
    }
  }

  private static func attribute(
    _ attribute: Attribute, _ row: Int, _ event: inout EventRecord, _ values: ArrowValueReader
  ) throws(Rejection) -> EventRecord.Attribute {
    let name = event.add(attribute.name[...])
    return EventRecord.Attribute(name: name, value: try values.value(attribute.cells, row, in: &event))
  }

  private static func requireMetadata(_ event: EventRecord) throws(Rejection) {
    guard event.kind == .goal || event.kind == .conversion else {
      throw noAttributes("metadata", event.kind)
    }
  }

  private static func noAttributes(_ name: String, _ kind: EventKind) -> Rejection {
    Rejection(.event, "a \(kind.name) has no \(name); these columns must be null in its row")
  }
}
