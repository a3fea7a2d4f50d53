internal import Arrow
internal import Events

/// The columns of a batch of events, ready to be read row by row.
final class ArrowEventCells: Sendable {
  /// A column of a field.
  private struct Field: Sendable {
    let column: ArrowEventColumn
    /// The text of the event in it; nil for another field.
    let text: EventRecord.TextField?
    let kindBits: UInt16
    let cells: ArrowCells
  }

  /// A column of an attribute.
  struct Attribute: Sendable {
    let name: [UInt8]
    let cells: ArrowCells
  }

  private let types: ArrowCells?
  /// The kind of each text of the column of types.
  private let kinds: [EventKind?]
  private let times: ArrowColumn?
  private let timeCells: TimeCells?
  private let json: ArrowCells?
  private let texts: [Field]
  private let others: [Field]
  let context: [Attribute]
  let metadata: [Attribute]
  let wholeContext: ArrowCells?
  let wholeMetadata: ArrowCells?

  /// Looks up the columns that are not null in all rows.
  init(_ batch: ArrowBatch, _ fields: ArrowEventFields) {
    func used(_ index: Int?) -> ArrowCells? {
      guard let index, batch.columns[index].nullCount < batch.columns[index].count else { return nil }
      return ArrowCells(batch.columns[index])
    }
    types = fields.columns[.type].map { ArrowCells(batch.columns[$0]) }
    let names = (types?.texts?.textCount ?? .max) <= 256 ? types?.texts : nil
    kinds = names?.map { EventKind(name: String(decoding: $0, as: UTF8.self)) } ?? []
    times = fields.columns[.time].map { batch.columns[$0] }
    timeCells = times.flatMap { TimeCells($0) }
    json = used(fields.columns[.json])
    wholeContext = used(fields.wholeContext)
    wholeMetadata = used(fields.wholeMetadata)
    texts = fields.texts.compactMap { text in
      used(text.index).map {
        Field(column: text.column, text: text.field, kindBits: text.column.kindBits, cells: $0)
      }
    }
    others = ArrowEventColumn.allCases.compactMap { column in
      guard ![.type, .time, .json].contains(column) else { return nil }
      return used(fields.columns[column]).map {
        Field(column: column, text: nil, kindBits: column.kindBits, cells: $0)
      }
    }
    func attributes(_ list: [ArrowEventFields.Attribute]) -> [Attribute] {
      list.compactMap { attribute in
        used(attribute.index).map { Attribute(name: attribute.name, cells: $0) }
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
          ArrowValueReader.text(json.values, row).span, into: &record.events[index])
      } catch {
        throw Rejection(.json, "the column \"json\": \(error.reason)")
      }
    }
    let index = record.add(try kind(row), at: try time(row, &values))
    try fill(&record.events[index], row, values)
  }

  private func fill(
    _ event: inout EventRecord, _ row: Int, _ values: ArrowValueReader
  ) throws(Rejection) {
    let bit: UInt16 = 1 << UInt16(event.kind.rawValue)
    // By index: the copies that an iterator makes would be counted, by all threads at the same place.
    for index in texts.indices where !texts[index].cells.isNull(row) {
      guard let text = texts[index].text else { continue }
      if let cells = texts[index].cells.texts {
        event[text] = cells.add(row, to: &event)
      } else {
        event[text] = try values.add(texts[index].cells.values, row, to: &event)
      }
      guard texts[index].kindBits & bit != 0 else { throw Self.misplaced(texts[index].column, event.kind) }
    }
    for index in others.indices where !others[index].cells.isNull(row) {
      guard others[index].kindBits & bit != 0 else { throw Self.misplaced(others[index].column, event.kind) }
      try fill(others[index].column, others[index].cells, row, &event, values)
    }
    try addAttributes(row, &event, values)
    do throws(EventProblem) {
      try event.validateFields()
      // Names of columns are distinct.
      if event.hasFeatures || wholeContext != nil || wholeMetadata != nil { try event.requireDistinctNames() }
    } catch {
      throw Rejection(error)
    }
  }

  private static func misplaced(_ column: ArrowEventColumn, _ kind: EventKind) -> Rejection {
    Rejection(
      .event, "a \(kind.name) has no \"\(column.rawValue)\"; the column must be null in its row")
  }

  private func kind(_ row: Int) throws(Rejection) -> EventKind {
    if !kinds.isEmpty, let place = types?.texts?.place(row), place >= 0, let kind = kinds[place] {
      return kind
    }
    guard let types, !types.isNull(row) else { throw Rejection(.event, "the type is null") }
    let name = String(decoding: ArrowValueReader.text(types.values, row), as: UTF8.self)
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
    _ column: ArrowEventColumn, _ cells: ArrowCells, _ row: Int, _ event: inout EventRecord,
    _ values: ArrowValueReader
  ) throws(Rejection) {
    switch column {
    case .propensity: event.propensity = try number(cells, row, values)
    case .revenue: event.revenue = try number(cells, row, values)
    case .negative:
      event.negative = if let flags = cells.flags { flags[row] } else { try values.flag(cells.values, row) }
    case .value where event.kind == .goal: event.value = try number(cells, row, values)
    case .value, .valueText, .valueFlag:
      guard event.dataValue == nil else {
        throw Rejection(.event, "a data point has one of value, value_text and value_flag")
      }
      event.dataValue = try values.value(cells.values, row, in: &event)
    case .status: event.status = try status(cells.values, row)
    case .choices:
      event.hasChoices = true
      try forEachText(cells, row, column, &event, values) { $0.choices.append($1) }
    case .changed:
      event.hasChanged = true
      try forEachText(cells, row, column, &event, values) { $0.changed.append($1) }
    case .probabilities:
      event.hasProbabilities = true
      try appendNumbers(cells, row, column, to: &event.probabilities, values)
    case .features: try values.addFeatures(cells, row, to: &event)
    default: break
    }
  }

  private func number(
    _ cells: ArrowCells, _ row: Int, _ values: ArrowValueReader
  ) throws(Rejection) -> Double {
    if let number = cells.numbers?[row] { return number }
    return try values.number(cells.values, row)
  }

  /// Adds the elements of a list to an event, and calls the closure with each.
  private func forEachText(
    _ cells: ArrowCells, _ row: Int, _ column: ArrowEventColumn, _ event: inout EventRecord,
    _ values: ArrowValueReader, _ append: (inout EventRecord, EventRecord.Slice) -> Void
  ) throws(Rejection) {
    guard let texts = cells.items?.texts else {
      return try values.list(cells.values, row) { (items, item) throws(Rejection) in
        let text = try values.add(items, item, to: &event, named: column.rawValue)
        append(&event, text)
      }
    }
    for item in cells.elements(of: row) {
      guard !texts.isNull(item) else { throw ArrowValueReader.nullElement(column.rawValue) }
      let text = texts.add(item, to: &event)
      append(&event, text)
    }
  }

  private func appendNumbers(
    _ cells: ArrowCells, _ row: Int, _ column: ArrowEventColumn, to list: inout [Double],
    _ values: ArrowValueReader
  ) throws(Rejection) {
    guard let numbers = cells.items?.numbers else {
      return try values.list(cells.values, row) { (items, item) throws(Rejection) in
        list.append(try values.number(items, item, named: column.rawValue))
      }
    }
    for item in cells.elements(of: row) {
      guard let number = numbers[item] else { throw ArrowValueReader.nullElement(column.rawValue) }
      list.append(number)
    }
  }

  private func status(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> EventStatus {
    let text = ArrowValueReader.text(column, row)
    for status in EventStatus.allCases where text.elementsEqual(status.name.utf8) { return status }
    throw Rejection(
      .event, "there is no status \"\(String(decoding: text.prefix(40), as: UTF8.self))\"")
  }
}
