internal import Arrow
internal import Events

/// The columns of a batch of events, ready to be read row by row.
struct ArrowEventCells {
  /// A column of texts of events.
  private final class Text {
    let column: ArrowEventColumn
    let field: EventRecord.TextField
    let kindBits: UInt16
    /// The texts; nil for a column of another type, such as numbers.
    let cells: TextCells?
    let values: ArrowColumn

    init(_ text: ArrowEventFields.Text, _ values: ArrowColumn) {
      (column, field, kindBits) = (text.column, text.field, text.column.kindBits)
      (cells, self.values) = (TextCells(values), values)
    }
  }

  /// A column of another field.
  private final class Other {
    let column: ArrowEventColumn
    let kindBits: UInt16
    let numbers: NumberCells?
    let texts: TextCells?
    /// The elements of lists.
    let items: TextCells?
    let values: ArrowColumn

    init(_ column: ArrowEventColumn, _ values: ArrowColumn) {
      (self.column, kindBits, self.values) = (column, column.kindBits, values)
      (numbers, texts) = (NumberCells(values), TextCells(values))
      items = values.children.first.flatMap { TextCells($0) }
    }
  }

  /// A column of an attribute.
  final class Attribute {
    let name: [UInt8]
    let numbers: NumberCells?
    let texts: TextCells?
    let values: ArrowColumn

    init(_ name: [UInt8], _ values: ArrowColumn) {
      (self.name, self.values) = (name, values)
      (numbers, texts) = (NumberCells(values), TextCells(values))
    }
  }

  private let fields: ArrowEventFields
  private let types: ArrowColumn?
  private let typeCells: TextCells?
  /// The kind of each text of the column of types.
  private let kinds: [EventKind?]
  private let times: ArrowColumn?
  private let timeCells: TimeCells?
  private let json: ArrowColumn?
  private var texts: [Text] = []
  private var others: [Other] = []
  var context: [Attribute] = []
  var metadata: [Attribute] = []
  let wholeContext: ArrowColumn?
  let wholeMetadata: ArrowColumn?

  /// Looks up the columns that are not null in all rows.
  init(_ batch: ArrowBatch, _ fields: ArrowEventFields) {
    func used(_ index: Int) -> ArrowColumn? {
      let column = batch.columns[index]
      return column.nullCount < column.count ? column : nil
    }
    self.fields = fields
    types = fields.columns[.type].map { batch.columns[$0] }
    typeCells = types.flatMap { TextCells($0) }
    let names = (typeCells?.textCount ?? 0) <= 256 ? typeCells : nil
    kinds = names?.map { EventKind(name: String(decoding: $0, as: UTF8.self)) } ?? []
    times = fields.columns[.time].map { batch.columns[$0] }
    timeCells = times.flatMap { TimeCells($0) }
    json = fields.columns[.json].flatMap(used)
    wholeContext = fields.wholeContext.flatMap(used)
    wholeMetadata = fields.wholeMetadata.flatMap(used)
    for text in fields.texts {
      guard let column = used(text.index) else { continue }
      texts.append(Text(text, column))
    }
    for name in ArrowEventColumn.allCases where ![.type, .time, .json].contains(name) {
      guard let column = fields.columns[name].flatMap(used) else { continue }
      others.append(Other(name, column))
    }
    func attributes(_ list: [ArrowEventFields.Attribute]) -> [Attribute] {
      list.compactMap { attribute in
        used(attribute.index).map { Attribute(attribute.name, $0) }
      }
    }
    context = attributes(fields.context)
    metadata = attributes(fields.metadata)
  }

  /// Reads a row.
  func read(
    _ row: Int, into record: inout ImportedRecord, _ values: inout ArrowValueReader,
    _ decoder: inout JSONLinesDecoder
  ) throws(Rejection) {
    if let json, !json.isNull(row) {
      let index = record.addUnfilled()
      do throws(JSONLineError) {
        return try decoder.decode(
          ArrowValueReader.text(json, row).span, into: &record.events[index])
      } catch {
        throw Rejection(.json, "the column \"json\": \(error.reason)")
      }
    }
    let kind = try kind(row)
    let index = record.add(kind, at: try time(row, &values))
    // Moved out, so that no copy is made for each field.
    var event = EventRecord.empty
    swap(&event, &record.events[index])
    defer { swap(&event, &record.events[index]) }
    let bit: UInt16 = 1 << UInt16(kind.rawValue)
    for text in texts {
      if let cells = text.cells {
        if cells.isNull(row) { continue }
        event[text.field] = cells.add(row, to: &event)
      } else if !text.values.isNull(row) {
        event[text.field] = try values.add(text.values, row, to: &event)
      } else {
        continue
      }
      guard text.kindBits & bit != 0 else { throw Self.misplaced(text.column, kind) }
    }
    for other in others where !other.values.isNull(row) {
      guard other.kindBits & bit != 0 else { throw Self.misplaced(other.column, kind) }
      try fill(other, row, &event, values)
    }
    try addAttributes(row, &event, values)
    do throws(EventProblem) {
      try event.validateFields()
    } catch {
      throw Rejection(error)
    }
  }

  private static func misplaced(_ column: ArrowEventColumn, _ kind: EventKind) -> Rejection {
    Rejection(
      .event, "a \(kind.name) has no \"\(column.rawValue)\"; the column must be null in its row")
  }

  private func kind(_ row: Int) throws(Rejection) -> EventKind {
    if let typeCells, !kinds.isEmpty, !typeCells.isNull(row), let kind = kinds[typeCells.place(row)] {
      return kind
    }
    guard let types, !types.isNull(row) else { throw Rejection(.event, "the type is null") }
    let name = String(decoding: ArrowValueReader.text(types, row), as: UTF8.self)
    guard let kind = EventKind(name: name) else {
      throw Rejection(
        .event,
        "the type \"\(name.prefix(40))\" must be one of "
          + EventKind.allCases.map(\.name).joined(separator: ", "))
    }
    return kind
  }

  private func time(
    _ row: Int, _ values: inout ArrowValueReader
  ) throws(Rejection) -> Timestamp {
    if let timeCells { return timeCells[row] }
    guard let times, !times.isNull(row) else { throw Rejection(.time, "the time is null") }
    return try values.time(times, row)
  }

  private func fill(
    _ other: Other, _ row: Int, _ event: inout EventRecord, _ values: ArrowValueReader
  ) throws(Rejection) {
    switch other.column {
    case .propensity: event.propensity = try number(other, row, values)
    case .revenue: event.revenue = try number(other, row, values)
    case .negative: event.negative = try values.flag(other.values, row)
    case .value where event.kind == .goal: event.value = try number(other, row, values)
    case .value, .valueText, .valueFlag:
      guard event.dataValue == nil else {
        throw Rejection(.event, "a data point has one of value, value_text and value_flag")
      }
      event.dataValue = try values.value(other.values, row, in: &event)
    case .status: event.status = try status(other.values, row)
    case .choices:
      event.hasChoices = true
      try appendItems(other, row, to: \.choices, of: &event, values)
    case .changed:
      event.hasChanged = true
      try appendItems(other, row, to: \.changed, of: &event, values)
    case .probabilities:
      event.hasProbabilities = true
      try values.list(other.values, row) { (items, item) throws(Rejection) in
        event.probabilities.append(try values.number(items, item, named: other.column.rawValue))
      }
    case .features: try values.features(other.values, row, &event)
    default: break
    }
  }

  private func number(
    _ other: Other, _ row: Int, _ values: ArrowValueReader
  ) throws(Rejection) -> Double {
    if let number = other.numbers?[row] { return number }
    return try values.number(other.values, row)
  }

  private func status(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> EventStatus {
    let text = ArrowValueReader.text(column, row)
    for status in EventStatus.allCases where text.elementsEqual(status.name.utf8) { return status }
    throw Rejection(
      .event, "there is no status \"\(String(decoding: text.prefix(40), as: UTF8.self))\"")
  }

  private func appendItems(
    _ other: Other, _ row: Int, to list: WritableKeyPath<EventRecord, [EventRecord.Slice]>,
    of event: inout EventRecord, _ values: ArrowValueReader
  ) throws(Rejection) {
    guard let cells = other.items else {
      return try values.list(other.values, row) { (items, item) throws(Rejection) in
        event[keyPath: list].append(
          try values.add(items, item, to: &event, named: other.column.rawValue))
      }
    }
    for item in other.values.elements(row) {
      guard !cells.isNull(item) else {
        throw Rejection(
          .event, "the list \"\(other.column.rawValue)\" has null among its elements")
      }
      event[keyPath: list].append(cells.add(item, to: &event))
    }
  }
}

extension EventRecord {
  /// An empty record, which shares its buffers.
  fileprivate static let empty = EventRecord()
}
