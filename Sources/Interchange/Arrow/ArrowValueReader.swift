internal import Arrow
internal import Events

/// Converts values of Arrow columns to parts of events.
struct ArrowValueReader {
  /// The time of a row whose column is of texts or numbers.
  private var fields = FieldTree()

  /// What the times of the rows so far say of those to come.
  var times: InputTimes {
    get { fields.times }
    set { fields.times = newValue }
  }

  /// Returns the text of a row that is not null, of a column of texts.
  static func text(_ column: ArrowColumn, _ row: Int) -> ArraySlice<UInt8> {
    let (column, row) = column.resolved(row)
    return column.bytes(row)
  }

  /// Returns the error of a column with a type that a use does not have.
  private static func refused(_ column: ArrowColumn, _ name: String?, _ expected: String)
    -> Rejection
  {
    Rejection(
      .event,
      "the column \"\((name ?? column.field.name).prefix(40))\" is \(column.field.type.name), which \(expected)"
    )
  }

  /// Adds a text, or another single value as text, to an event; `name` is that of the column in errors, nil for its
  /// own.
  ///
  /// - Throws: ``Rejection`` if it is no single value, a byte string that is not UTF-8, a number that is not finite, or
  ///   a time that is out of range.
  func add(
    _ column: ArrowColumn, _ row: Int, to event: inout EventRecord, named name: String? = nil
  ) throws(Rejection) -> EventRecord.Slice {
    let (column, row) = column.resolved(row)
    if column.field.type == .utf8 { return event.add(column.bytes(row)) }
    guard ArrowUse.text.accepts(column.field.type) else {
      throw Self.refused(column, name, ArrowUse.text.expected)
    }
    let start = event.bytes.count
    ArrowText.append(column, row, to: &event.bytes)
    switch column.field.type {
    case .binary, .binaryView, .fixedSizeBinary:
      guard UTF8Check.isValid(Array(event.bytes[start...])) else {
        throw Self.refused(
          column, name, "is not UTF-8 in this row; write it as a text, such as hexadecimal digits")
      }
    case .floatingPoint: try Self.requireFinite(column.number(row), column, name)
    case .date32, .date64, .timestamp:
      guard event.bytes.count > start else { throw Self.outOfRange(column, row) }
    default: break
    }
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private static func requireFinite(
    _ number: Double, _ column: ArrowColumn, _ name: String?
  ) throws(Rejection) {
    guard !number.isFinite else { return }
    throw Rejection(
      .number,
      "the column \"\((name ?? column.field.name).prefix(40))\" must be a finite number, or null")
  }

  private static func outOfRange(_ column: ArrowColumn, _ row: Int) -> Rejection {
    Rejection(.time, "the time \(column.integer(row)) lies outside of the years 0001 to 9999")
  }

  /// Returns a number; `name` is that of the column in errors, nil for its own.
  ///
  /// - Throws: ``Rejection`` if it is none, or not finite.
  func number(
    _ column: ArrowColumn, _ row: Int, named name: String? = nil
  ) throws(Rejection) -> Double {
    let (column, row) = column.resolved(row)
    let number: Double
    switch column.field.type {
    case .floatingPoint: number = column.number(row)
    case .integer(bits: 64, isSigned: false):
      number = Double(UInt64(bitPattern: column.integer(row)))
    case .integer, .duration: number = Double(column.integer(row))
    case .decimal:
      var text: [UInt8] = []
      ArrowText.append(column, row, to: &text)
      number = JSONNumber.double(of: text.span) ?? .nan
    default: throw Self.refused(column, name, ArrowUse.number.expected)
    }
    try Self.requireFinite(number, column, name)
    return number
  }

  /// Returns a truth value.
  func flag(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Bool {
    let (column, row) = column.resolved(row)
    guard column.field.type == .boolean else {
      throw Self.refused(column, nil, ArrowUse.flag.expected)
    }
    return column.flag(row)
  }

  /// Returns a time.
  mutating func time(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Timestamp {
    let (column, row) = column.resolved(row)
    if let time = ArrowText.time(column, row) { return time }
    switch column.field.type {
    case .timestamp, .date32, .date64: throw Self.outOfRange(column, row)
    case let type where ArrowUse.time.accepts(type): return try fieldTime(column, row)
    default: throw Self.refused(column, nil, ArrowUse.time.expected)
    }
  }

  /// Returns the time in a row of texts or numbers since 1970.
  private mutating func fieldTime(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Timestamp {
    var time: [UInt8] = []
    ArrowText.append(key: column, row, to: &time)
    var text = [UInt8(ascii: "{")]
    JSONBytes.append(key: "time", time, to: &text)
    text.append(UInt8(ascii: "}"))
    try fields.fill(json: text.span)
    return try fields.time(fields.find("time"))
  }

  /// Calls the closure with the column and the row of each element of a list.
  ///
  /// - Throws: ``Rejection`` if it is no list or an element is null, and errors of the closure.
  func list(
    _ column: ArrowColumn, _ row: Int,
    _ body: (ArrowColumn, Int) throws(Rejection) -> Void
  ) throws(Rejection) {
    let (list, row) = column.resolved(row)
    switch list.field.type {
    case .list, .fixedSizeList: break
    default: throw Self.refused(list, nil, ArrowUse.texts.expected)
    }
    let items = list.children[0]
    for item in list.elements(row) {
      guard !items.isNull(item) else { throw Self.nullElement(column.field.name) }
      try body(items, item)
    }
  }

  /// Returns the error of a list with a null.
  static func nullElement(_ name: String) -> Rejection {
    Rejection(.event, "the list \"\(name.prefix(40))\" has null among its elements")
  }

  // MARK: Attributes

  /// Returns the value of an attribute.
  ///
  /// - Throws: ``Rejection`` if it is not a number, a text, a truth value or a time.
  func value(
    _ cells: ArrowCells, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Value {
    if cells.isFloatingPoint, let number = cells.numbers?[row] { return .number(number) }
    if let flags = cells.flags { return .flag(flags[row]) }
    if let texts = cells.texts { return .text(texts.add(row, to: &event)) }
    return try value(cells.values, row, in: &event)
  }

  /// Returns the value of an attribute or data point.
  ///
  /// - Throws: ``Rejection`` if it is not a number, a text, a truth value or a time.
  func value(
    _ column: ArrowColumn, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Value {
    let (column, row) = column.resolved(row)
    switch column.field.type {
    case .boolean: return .flag(column.flag(row))
    case .integer(bits: 64, isSigned: false) where column.integer(row) < 0:
      return .text(try add(column, row, to: &event))
    case .integer, .duration:
      let integer = column.integer(row)
      return integer.magnitude > 1 << 53 ? .integer(integer) : .number(Double(integer))
    case .floatingPoint: return .number(try number(column, row))
    case .decimal: return try decimal(column, row, in: &event)
    case let type where ArrowUse.text.accepts(type): return .text(try add(column, row, to: &event))
    default:
      throw Rejection(
        .event,
        "the column \"\(column.field.name.prefix(40))\" is \(column.field.type.name); an attribute is a number, a "
          + "text or a truth value: write a column for each part, or leave it out")
    }
  }

  /// Returns a decimal: one that is whole without loss of digits, as those of JSON are.
  private func decimal(
    _ column: ArrowColumn, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Value {
    let number = try number(column, row)
    guard number.magnitude >= 0x1p53 else { return .number(number) }
    var text: [UInt8] = []
    ArrowText.append(column, row, to: &text)
    if let whole = Int64(String(decoding: text, as: UTF8.self)) {
      return whole.magnitude > 1 << 53 ? .integer(whole) : .number(number)
    }
    return .text(event.add(text[...]))
  }

  /// Calls the closure with the name and the value of each attribute of a struct or map that is not null.
  func forEachAttribute(
    _ cells: ArrowCells, _ row: Int, in event: inout EventRecord,
    _ body: (inout EventRecord, EventRecord.Attribute) -> Void
  ) throws(Rejection) {
    try forEachMember(cells, row, in: &event) { (event, name, values, place) throws(Rejection) in
      guard !values.isNull(place) else { return }
      let value = try value(values, place, in: &event)
      body(&event, EventRecord.Attribute(name: name, value: value))
    }
  }

  /// Calls the closure with the name, the cells and the row of each entry of a map, or each field of a struct that is
  /// not null.
  private func forEachMember(
    _ cells: ArrowCells, _ row: Int, in event: inout EventRecord,
    _ body: (inout EventRecord, EventRecord.Slice, ArrowCells, Int) throws(Rejection) -> Void
  ) throws(Rejection) {
    switch cells.nesting {
    case .structure:
      for child in cells.children where !child.isNull(row) {
        let name = event.add(child.name[...])
        try body(&event, name, child, row)
      }
    case .map:
      let entries = cells.children[0].children
      for entry in cells.elements(of: row) {
        guard !entries[0].isNull(entry) else {
          throw Rejection(
            .event, "the map \"\(cells.values.field.name.prefix(40))\" has a key that is null")
        }
        let name = key(entries[0], entry, in: &event)
        try body(&event, name, entries[1], entry)
      }
    case .single where cells.values.dictionary != nil:
      let (column, row) = cells.values.resolved(row)
      try forEachMember(ArrowCells(column), row, in: &event, body)
    case .single, .list: throw Self.refused(cells.values, nil, ArrowUse.attributes.expected)
    }
  }

  /// Adds the key of a map's entry, of whatever type.
  private func key(_ cells: ArrowCells, _ entry: Int, in event: inout EventRecord) -> EventRecord.Slice {
    if let texts = cells.texts { return texts.add(entry, to: &event) }
    let start = event.bytes.count
    ArrowText.append(key: cells.values, entry, to: &event.bytes)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  /// Adds the features of a decision: a map from the variant, or a struct with a field for each variant.
  func addFeatures(_ cells: ArrowCells, _ row: Int, to event: inout EventRecord) throws(Rejection) {
    event.hasFeatures = true
    try forEachMember(cells, row, in: &event) { (event, variant, values, place) throws(Rejection) in
      let before = event.features.count
      if !values.isNull(place) {
        try forEachAttribute(values, place, in: &event) { $0.features.append($1) }
      }
      event.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: event.features.count - before))
    }
  }
}
