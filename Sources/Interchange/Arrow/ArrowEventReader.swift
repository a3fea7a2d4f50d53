internal import Arrow
internal import Events

/// Converts rows of a table of events.
struct ArrowEventReader: ArrowRowReader {
  private let fields: ArrowEventFields
  /// The kind of each value of the dictionary of kinds; empty if the column has none.
  private var kinds: [EventKind?] = []
  private var types: ArrowColumn?
  private var times: ArrowColumn?
  private var json: ArrowColumn?
  /// The columns of the other fields that are not null in all rows of the batch.
  private var others: [(name: ArrowEventColumn, column: ArrowColumn)] = []
  private var values = ArrowValueReader()
  private var decoder = JSONLinesDecoder()

  init(_ fields: ArrowEventFields) { self.fields = fields }

  mutating func begin(_ batch: ArrowBatch) {
    func column(_ column: ArrowEventColumn) -> ArrowColumn? {
      fields.columns[column].map { batch.columns[$0] }
    }
    types = column(.type)
    times = column(.time)
    json = column(.json).flatMap { $0.nullCount == $0.count ? nil : $0 }
    others = ArrowEventColumn.allCases.compactMap { name in
      guard ![.type, .time, .json].contains(name), let column = column(name),
        column.nullCount < column.count
      else { return nil }
      return (name, column)
    }
    kinds = []
    guard let dictionary = types?.dictionary, dictionary.count <= 256 else { return }
    kinds = (0..<dictionary.count).map { index in
      let (part, row) = dictionary.find(index)
      return part.isNull(row)
        ? nil : EventKind(name: String(decoding: part.bytes(row), as: UTF8.self))
    }
  }

  func text(_ row: Int, of batch: ArrowBatch) -> [UInt8] { ArrowText.row(row, of: batch) }

  mutating func read(
    _ row: Int, of batch: ArrowBatch, into record: inout ImportedRecord
  ) throws(Rejection) {
    if let json, !json.isNull(row) { return try read(ArrowValueReader.text(json, row), into: &record) }
    let kind = try kind(row)
    let index = record.add(kind, at: try time(row))
    // Moved out, so that no copy is made for each field.
    var event = EventRecord()
    swap(&event, &record.events[index])
    defer { swap(&event, &record.events[index]) }
    for text in fields.texts {
      let column = batch.columns[text.index]
      guard !column.isNull(row) else { continue }
      guard text.column.kinds?.contains(kind) ?? true else { throw Self.misplaced(text.column, kind) }
      event[text.field] = values.add(column, row, to: &event)
    }
    for (name, column) in others where !column.isNull(row) {
      guard name.kinds?.contains(kind) ?? true else { throw Self.misplaced(name, kind) }
      try fill(name, column, row, &event)
    }
    try addAttributes(row, batch, &event)
  }

  private static func misplaced(_ column: ArrowEventColumn, _ kind: EventKind) -> Rejection {
    Rejection(
      .event, "a \(kind.name) has no \"\(column.rawValue)\"; the column must be null in its row")
  }

  /// Reads an event that is written as a JSON Line.
  private mutating func read(
    _ line: ArraySlice<UInt8>, into record: inout ImportedRecord
  ) throws(Rejection) {
    let index = record.addUnfilled()
    do throws(JSONLineError) {
      try decoder.decode(line.span, into: &record.events[index])
    } catch {
      throw Rejection(.json, "the column \"json\": \(error.reason)")
    }
  }

  private func kind(_ row: Int) throws(Rejection) -> EventKind {
    guard let types, !types.isNull(row) else { throw Rejection(.event, "the type is null") }
    if !kinds.isEmpty, let kind = kinds[Int(types.integer(row))] { return kind }
    let name = String(decoding: ArrowValueReader.text(types, row), as: UTF8.self)
    guard let kind = EventKind(name: name) else {
      throw Rejection(
        .event,
        "the type \"\(name.prefix(40))\" must be one of "
          + EventKind.allCases.map(\.name).joined(separator: ", "))
    }
    return kind
  }

  private mutating func time(_ row: Int) throws(Rejection) -> Timestamp {
    guard let times, !times.isNull(row) else { throw Rejection(.time, "the time is null") }
    return try values.time(times, row)
  }

  private mutating func fill(
    _ name: ArrowEventColumn, _ column: ArrowColumn, _ row: Int, _ event: inout EventRecord
  ) throws(Rejection) {
    switch name {
    case .propensity: event.propensity = try values.number(column, row)
    case .revenue: event.revenue = try values.number(column, row)
    case .negative: event.negative = column.flag(row)
    case .value where event.kind == .goal: event.value = try values.number(column, row)
    case .value, .valueText, .valueFlag:
      guard event.dataValue == nil else {
        throw Rejection(.event, "a data point has one of value, value_text and value_flag")
      }
      event.dataValue = try values.value(column, row, in: &event)
    case .status:
      let text = ArrowValueReader.text(column, row)
      guard let status = EventStatus.allCases.first(where: { text.elementsEqual($0.name.utf8) })
      else {
        throw Rejection(
          .event, "there is no status \"\(String(decoding: text.prefix(40), as: UTF8.self))\"")
      }
      event.status = status
    case .choices:
      event.hasChoices = true
      try values.list(column, row) { (items, item) throws(Rejection) in
        event.choices.append(values.add(items, item, to: &event))
      }
    case .changed:
      event.hasChanged = true
      try values.list(column, row) { (items, item) throws(Rejection) in
        event.changed.append(values.add(items, item, to: &event))
      }
    case .probabilities:
      event.hasProbabilities = true
      try values.list(column, row) { (items, item) throws(Rejection) in
        event.probabilities.append(try values.number(items, item))
      }
    case .features: try values.features(column, row, &event)
    default: break
    }
  }

  private mutating func addAttributes(
    _ row: Int, _ batch: ArrowBatch, _ event: inout EventRecord
  ) throws(Rejection) {
    for attribute in fields.context where !batch.columns[attribute.index].isNull(row) {
      guard event.kind == .decision else { throw Self.noAttributes("context", event.kind) }
      event.hasContext = true
      event.context.append(
        try values.attribute(attribute.name, batch.columns[attribute.index], row, in: &event))
    }
    for attribute in fields.metadata where !batch.columns[attribute.index].isNull(row) {
      try Self.requireMetadata(event)
      event.hasMetadata = true
      event.metadata.append(
        try values.attribute(attribute.name, batch.columns[attribute.index], row, in: &event))
    }
    if let place = fields.wholeContext, !batch.columns[place].isNull(row) {
      guard event.kind == .decision else { throw Self.noAttributes("context", event.kind) }
      event.hasContext = true
      event.context += try values.attributes(batch.columns[place], row, in: &event)
    }
    if let place = fields.wholeMetadata, !batch.columns[place].isNull(row) {
      try Self.requireMetadata(event)
      event.hasMetadata = true
      event.metadata += try values.attributes(batch.columns[place], row, in: &event)
    }
    try requireDistinct(event)
  }

  private static func requireMetadata(_ event: EventRecord) throws(Rejection) {
    guard event.kind == .goal || event.kind == .conversion else {
      throw noAttributes("metadata", event.kind)
    }
  }

  private static func noAttributes(_ name: String, _ kind: EventKind) -> Rejection {
    Rejection(.event, "a \(kind.name) has no \(name); these columns must be null in its row")
  }

  /// Checks names that come from maps, or from a struct beside columns; those of columns are distinct.
  private func requireDistinct(_ event: EventRecord) throws(Rejection) {
    if fields.wholeContext != nil { try ArrowValueReader.requireDistinct(event.context, event) }
    if fields.wholeMetadata != nil { try ArrowValueReader.requireDistinct(event.metadata, event) }
  }
}
