internal import Events

/// Collects events row by row as columns, until they are written as one frame.
///
/// Names are assigned their codes here. Nothing is allocated for a row once the columns have grown to the size of a
/// typical frame.
struct BatchBuilder {
  private(set) var columns = FrameColumns()
  private var tile = RowTile()
  private var scratch: [UInt8] = []
  /// The codes of the names of an object's attributes, in order.
  private var attributeNames: [UInt32] = []
  private var pattern = NamePattern()

  /// The number of events.
  var count: Int { columns.count }

  /// Returns whether the frame is full: it has the maximum number of rows, or more bytes or columns than is sensible.
  /// One row adds at most a few thousand columns, because longer shapes are stored as text.
  func isFull(with names: NameRegister) -> Bool {
    count >= FrameHeader.maximumRows || columns.attributes.count >= 8_192
      || columns.looseBytes + names.unpublishedBytes >= 16 << 20
  }

  // MARK: Appending

  /// Appends a validated event. The fingerprint of its unit is passed if it is known already.
  ///
  /// - Throws: ``LogError`` if a temporary file fails; the event is then not appended.
  mutating func append(
    _ record: borrowing EventRecord, unit fingerprint: Fingerprint? = nil,
    names: inout NameRegister
  ) throws(LogError) {
    let row = count
    let unit = record.texts[EventRecord.TextField.unit.rawValue]
    let unitCode =
      unit.isPresent
      ? try names.code(ofUnit: record.bytes.span.extracting(unit.range), fingerprint) : 0
    if unitCode != 0 { tile.set(.unit, Int64(unitCode), row) }
    tile.set(.kind, Int64(record.kind.rawValue), row)
    tile.set(.time, record.time.microseconds, row)
    appendNames(record, row, &names)
    if let status = record.status { tile.set(.status, Int64(status.rawValue), row) }
    if let negative = record.negative { tile.set(.negative, negative ? 2 : 1, row) }
    columns.propensities.set(record.propensity, row: row)
    columns.values.set(record.value, row: row)
    columns.revenues.set(record.revenue, row: row)
    appendTexts(record, row)
    appendLists(record, row, &names)
    appendAttributes(record, row, &names)
    columns.earliest = min(columns.earliest, record.time.microseconds)
    columns.latest = max(columns.latest, record.time.microseconds)
    columns.kinds |= 1 << UInt64(record.kind.rawValue)
    columns.count += 1
    if columns.count % RowTile.rowCount == 0 {
      tile.move(to: &columns.integers, end: columns.count)
    }
  }

  private mutating func appendNames(
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    let experiment = appendName(.experiment, record, row, &names)
    if experiment != 0 { columns.experiments |= 1 << UInt64(experiment % 64) }
    appendName(.point, record, row, &names)
    appendName(.slot, record, row, &names)
    appendName(.variant, record, row, &names)
    appendName(.policy, record, row, &names)
    appendName(.reason, record, row, &names)
    appendName(.goal, record, row, &names)
    appendName(.dataKind, record, row, &names)
    appendName(.key, record, row, &names)
    appendName(.system, record, row, &names)
    appendName(.instance, record, row, &names)
  }

  /// Sets the code of a name.
  ///
  /// - Returns: The code of the name; 0 if there is none.
  @discardableResult @inline(__always)
  private mutating func appendName(
    _ field: EventRecord.TextField, _ record: borrowing EventRecord, _ row: Int,
    _ names: inout NameRegister
  ) -> UInt32 {
    let slice = record.texts[field.rawValue]
    guard slice.isPresent, let vocabulary = field.vocabulary else { return 0 }
    let code = names.code(of: record.bytes.span.extracting(slice.range), in: vocabulary)
    tile.set(field.column, Int64(code), row)
    return code
  }

  private mutating func appendTexts(_ record: borrowing EventRecord, _ row: Int) {
    columns.looseBytes += Self.appendText(.id, to: &columns.ids, record, row)
    columns.looseBytes += Self.appendText(.configuration, to: &columns.configurations, record, row)
    columns.looseBytes += Self.appendText(.unknown, to: &columns.unknowns, record, row)
  }

  /// Appends a text.
  ///
  /// - Returns: The size of the text in bytes.
  @inline(__always)
  private static func appendText(
    _ field: EventRecord.TextField, to column: inout GappedTexts,
    _ record: borrowing EventRecord, _ row: Int
  ) -> Int {
    let slice = record.texts[field.rawValue]
    guard slice.isPresent else { return 0 }
    column.set(record.bytes.span.extracting(slice.range), row: row)
    return slice.range.count
  }

  // MARK: Lists

  private mutating func appendLists(
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    if record.hasChoices { appendList(.choices, record.choices, .variants, record, row, &names) }
    if record.hasChanged { appendList(.changed, record.changed, .keys, record, row, &names) }
    if record.hasProbabilities {
      tile.set(.probabilityCount, Int64(record.probabilities.count + 1), row)
      columns.probabilities.append(contentsOf: record.probabilities)
      columns.looseBytes += 8 * record.probabilities.count
    }
  }

  private mutating func appendList(
    _ column: ColumnID, _ items: [EventRecord.Slice], _ vocabulary: Vocabulary,
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    pattern.begin(column)
    for index in items.indices where !pattern.isTooLong {
      pattern.append(record.bytes.span.extracting(items[index].range))
    }
    if let place = names.recentPatterns.place(of: pattern) {
      tile.set(column, Int64(names.recentPatterns.code(at: place)), row)
      return
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.appendVariableLength(UInt64(items.count))
    for item in items {
      let code = names.code(of: record.bytes.span.extracting(item.range), in: vocabulary)
      scratch.appendVariableLength(UInt64(code))
    }
    let code = names.codeOrLiteral(of: scratch.span, in: .lists)
    tile.set(column, Int64(code), row)
    if code == Vocabulary.literalCode {
      columns.appendLiteral(scratch, column)
    } else {
      names.recentPatterns.keep(pattern, code: code, names: [])
    }
  }

  // MARK: Attributes

  private mutating func appendAttributes(
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    if record.hasContext {
      appendAttributes(.context, .context, record.context, record, row, &names)
    }
    if record.hasMetadata {
      appendAttributes(.metadata, .metadata, record.metadata, record, row, &names)
    }
    if record.hasFeatures { appendFeatures(record, row, &names) }
    if let value = record.dataValue {
      tile.set(.dataType, Int64(ValueType(value).rawValue), row)
      append(value, role: .data, key: 0, of: record, &names)
    }
  }

  private mutating func appendAttributes(
    _ column: ColumnID, _ role: AttributeRole, _ list: [EventRecord.Attribute],
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    pattern.begin(column)
    pattern.append(list, 0..<list.count, of: record)
    if appendKnownShape(column, role, list, record, row, &names) { return }
    beginShape()
    let hasCode = canHaveShape(list, record, names)
    if hasCode { writeShape(list, 0..<list.count, record, &names) }
    if appendShape(column, hasCode: hasCode, row, &names) {
      append(list, role, record, &names)
    } else {
      scratch.removeAll(keepingCapacity: true)
      AttributeLiteral.write(list[...], of: record, to: &scratch)
      columns.appendLiteral(scratch, column)
    }
  }

  private mutating func appendFeatures(
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    pattern.begin(.features)
    pattern.appendFeatures(of: record)
    if appendKnownShape(.features, .features, record.features, record, row, &names) { return }
    beginShape()
    let hasCode = canHaveShape(record.features, record, names)
    if hasCode { writeFeaturesShape(record, &names) }
    if appendShape(.features, hasCode: hasCode, row, &names) {
      append(record.features, .features, record, &names)
    } else {
      scratch.removeAll(keepingCapacity: true)
      AttributeLiteral.writeFeatures(of: record, to: &scratch)
      columns.appendLiteral(scratch, .features)
    }
  }

  /// Appends attributes if their pattern is cached.
  ///
  /// - Returns: Whether it is.
  @inline(__always)
  private mutating func appendKnownShape(
    _ column: ColumnID, _ role: AttributeRole, _ list: [EventRecord.Attribute],
    _ record: borrowing EventRecord, _ row: Int, _ names: inout NameRegister
  ) -> Bool {
    guard let place = names.recentPatterns.place(of: pattern) else { return false }
    tile.set(column, Int64(names.recentPatterns.code(at: place)), row)
    for index in 0..<names.recentPatterns.nameCount(at: place) {
      let key = names.recentPatterns.name(index, at: place)
      append(list[index].value, role: role, key: key, of: record, &names)
    }
    return true
  }

  /// Returns whether the attributes are few enough, and their names common enough, for a shape. Others are stored in
  /// the frame with their names, so that names that occur once cost nothing later.
  private func canHaveShape(
    _ list: [EventRecord.Attribute], _ record: borrowing EventRecord, _ names: NameRegister
  ) -> Bool {
    guard list.count <= Self.largestShape else { return false }
    if names.hasRoom(for: list.count, in: .attributes) { return true }
    for attribute in list {
      let name = record.bytes.span.extracting(attribute.name.range)
      guard names.hasRoom(for: name, in: .attributes) else { return false }
    }
    return true
  }

  /// The maximum number of attributes that are separate columns; longer lists are stored in the frame as they are.
  static let largestShape = 2_048

  private mutating func beginShape() {
    scratch.removeAll(keepingCapacity: true)
    attributeNames.removeAll(keepingCapacity: true)
  }

  private mutating func writeFeaturesShape(
    _ record: borrowing EventRecord, _ names: inout NameRegister
  ) {
    scratch.appendVariableLength(UInt64(record.featureGroups.count))
    var next = 0
    for group in record.featureGroups {
      let variant = names.code(
        of: record.bytes.span.extracting(group.variant.range), in: .variants)
      scratch.appendVariableLength(UInt64(variant))
      writeShape(record.features, next..<next + group.count, record, &names)
      next += group.count
    }
  }

  private mutating func writeShape(
    _ list: [EventRecord.Attribute], _ range: Range<Int>, _ record: borrowing EventRecord,
    _ names: inout NameRegister
  ) {
    scratch.appendVariableLength(UInt64(range.count))
    for index in range {
      let bytes = record.bytes.span.extracting(list[index].name.range)
      let name = names.code(of: bytes, in: .attributes)
      let type = ValueType(list[index].value).rawValue
      scratch.appendVariableLength(UInt64(name) * 4 + UInt64(type) - 1)
      attributeNames.append(name)
    }
  }

  /// Sets the code of the shape in `scratch`.
  ///
  /// - Returns: Whether it has a code of its own.
  private mutating func appendShape(
    _ column: ColumnID, hasCode: Bool, _ row: Int, _ names: inout NameRegister
  ) -> Bool {
    let code =
      hasCode ? names.codeOrLiteral(of: scratch.span, in: .shapes) : Vocabulary.literalCode
    tile.set(column, Int64(code), row)
    guard code != Vocabulary.literalCode else { return false }
    names.recentPatterns.keep(pattern, code: code, names: attributeNames)
    return true
  }

  /// Appends the values of attributes whose names were written as a shape.
  private mutating func append(
    _ list: [EventRecord.Attribute], _ role: AttributeRole, _ record: borrowing EventRecord,
    _ names: inout NameRegister
  ) {
    // Features may follow the last group; they are not part of the shape.
    for index in 0..<min(list.count, attributeNames.count) {
      append(list[index].value, role: role, key: attributeNames[index], of: record, &names)
    }
  }

  @inline(__always)
  private mutating func append(
    _ value: EventRecord.Value, role: AttributeRole, key: UInt32, of record: borrowing EventRecord,
    _ names: inout NameRegister
  ) {
    let column = ColumnID.attribute(role, ValueType(value))
    columns.looseBytes += 8
    switch value {
    case .number(let number):
      columns.withAttribute(column, key: key) { $0.numbers.append(number) }
    case .integer(let integer):
      columns.withAttribute(column, key: key) { $0.integers.append(integer) }
    case .flag(let flag):
      columns.withAttribute(column, key: key) { $0.integers.append(flag ? 1 : 0) }
    case .text(let slice):
      let code = names.codeOrLiteral(
        of: record.bytes.span.extracting(slice.range), in: .values)
      columns.withAttribute(column, key: key) { $0.integers.append(Int64(code)) }
      if code == Vocabulary.literalCode {
        let text = record.bytes[slice.range]
        columns.withAttribute(column, key: key) { $0.literals.append(text) }
        columns.looseBytes += text.count
      }
    }
  }

  // MARK: Completing a frame

  /// Pads the used integer columns to the last row.
  mutating func finish() {
    tile.move(to: &columns.integers, end: columns.count)
    columns.finish()
  }

  /// Removes all rows, keeping the memory.
  mutating func removeAll() {
    columns.removeAll()
  }

  /// Completes the columns, takes them, and continues with others, whose rows are removed and whose memory is kept.
  mutating func take(replacingWith others: inout FrameColumns) -> FrameColumns {
    finish()
    others.removeAll()
    swap(&columns, &others)
    defer { others = FrameColumns() }
    return others
  }
}
