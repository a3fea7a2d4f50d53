internal import Events

/// Takes events row by row and keeps them as columns, until they are written as one frame.
///
/// Names get their codes here, so the columns hold only numbers. Nothing is allocated for a row once the
/// columns have grown to the size of the usual frame.
struct BatchBuilder {
  private(set) var count = 0
  private(set) var earliest = Int64.max
  private(set) var latest = Int64.min
  private(set) var kinds: UInt64 = 0
  private(set) var experiments: UInt64 = 0
  /// Roughly how many bytes the rows hold beside whole numbers, to bound the size of a frame.
  private(set) var looseBytes = 0

  private(set) var integers: [IntegerColumn] = Array(repeating: IntegerColumn(), count: 32)
  private(set) var ids = GappedTexts()
  private(set) var configurations = GappedTexts()
  private(set) var unknowns = GappedTexts()
  private(set) var propensities = GappedNumbers()
  private(set) var values = GappedNumbers()
  private(set) var revenues = GappedNumbers()
  private(set) var probabilities: [Double] = []
  private(set) var literals: [UInt16: TextList] = [:]
  private(set) var attributes: [AttributeValues] = []
  private var attributeIndices: [UInt64: Int] = [:]
  private var scratch: [UInt8] = []

  /// Whether the frame is full: it has as many rows as a frame may have, or more bytes or columns than
  /// is wise. One row adds at most a few thousand columns, because longer shapes are kept as text.
  func isFull(with names: NameRegister) -> Bool {
    count >= FrameHeader.maximumRows || attributes.count >= 8_192
      || looseBytes + names.unpublishedBytes >= 16 << 20
  }

  // MARK: Appending

  /// Appends an event that was validated.
  ///
  /// - Throws: ``LogError`` when a temporary file fails; the event is then not there.
  mutating func append(
    _ record: EventRecord, names: inout NameRegister
  ) throws(LogError) {
    let row = count
    let unit = record[.unit]
    let unitCode = unit.isPresent ? try names.code(ofUnit: record.bytes[unit.range]) : 0
    if unitCode != 0 { set(.unit, Int64(unitCode), row) }
    set(.kind, Int64(record.kind.rawValue), row)
    set(.time, record.time.microseconds, row)
    appendNames(record, row, &names)
    if let status = record.status { set(.status, Int64(status.rawValue), row) }
    if let negative = record.negative { set(.negative, negative ? 2 : 1, row) }
    propensities.set(record.propensity, row: row)
    values.set(record.value, row: row)
    revenues.set(record.revenue, row: row)
    appendTexts(record, row)
    appendLists(record, row, &names)
    appendAttributes(record, row, &names)
    earliest = min(earliest, record.time.microseconds)
    latest = max(latest, record.time.microseconds)
    kinds |= 1 << UInt64(record.kind.rawValue)
    count += 1
  }

  private mutating func set(_ column: ColumnID, _ value: Int64, _ row: Int) {
    integers[Int(column.rawValue)].set(value, row: row)
  }

  private static let nameColumns: [(EventRecord.TextField, ColumnID, Vocabulary)] = [
    (.experiment, .experiment, .experiments), (.point, .point, .points),
    (.slot, .slot, .slots), (.variant, .variant, .variants), (.policy, .policy, .policies),
    (.reason, .reason, .reasons), (.goal, .goal, .goals), (.dataKind, .dataKind, .dataKinds),
    (.key, .key, .keys), (.system, .system, .systems),
  ]

  private mutating func appendNames(
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    for (field, column, vocabulary) in Self.nameColumns {
      let slice = record[field]
      guard slice.isPresent else { continue }
      let code = names.code(of: record.bytes[slice.range], in: vocabulary)
      set(column, Int64(code), row)
      if field == .experiment { experiments |= 1 << UInt64(code % 64) }
    }
  }

  private mutating func appendTexts(_ record: EventRecord, _ row: Int) {
    append(record, .id, to: \.ids, row)
    append(record, .configuration, to: \.configurations, row)
    append(record, .unknown, to: \.unknowns, row)
  }

  private mutating func append(
    _ record: EventRecord, _ field: EventRecord.TextField,
    to column: WritableKeyPath<BatchBuilder, GappedTexts>, _ row: Int
  ) {
    let slice = record[field]
    guard slice.isPresent else { return }
    self[keyPath: column].set(record.bytes[slice.range], row: row)
    looseBytes += slice.range.count
  }

  // MARK: Lists

  private mutating func appendLists(
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    if record.hasChoices { appendList(.choices, record.choices, .variants, record, row, &names) }
    if record.hasChanged { appendList(.changed, record.changed, .keys, record, row, &names) }
    if record.hasProbabilities {
      set(.probabilityCount, Int64(record.probabilities.count + 1), row)
      probabilities.append(contentsOf: record.probabilities)
      looseBytes += 8 * record.probabilities.count
    }
  }

  private mutating func appendList(
    _ column: ColumnID, _ items: [EventRecord.Slice], _ vocabulary: Vocabulary,
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    scratch.removeAll(keepingCapacity: true)
    scratch.appendVariableLength(UInt64(items.count))
    for item in items {
      let code = names.code(of: record.bytes[item.range], in: vocabulary)
      scratch.appendVariableLength(UInt64(code))
    }
    appendCodeOrLiteral(column, .lists, row, &names)
  }

  /// Sets the code of the text in `scratch`, or keeps the text itself.
  private mutating func appendCodeOrLiteral(
    _ column: ColumnID, _ vocabulary: Vocabulary, _ row: Int, _ names: inout NameRegister
  ) {
    let code = names.codeOrLiteral(of: scratch[...], in: vocabulary)
    set(column, Int64(code), row)
    if code == Vocabulary.literalCode { appendLiteral(column) }
  }

  private mutating func appendLiteral(_ column: ColumnID) {
    literals[column.rawValue, default: TextList()].append(scratch)
    looseBytes += scratch.count
  }

  // MARK: Attributes

  private mutating func appendAttributes(
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    if record.hasContext {
      appendAttributes(.context, .context, record.context, record, row, &names)
    }
    if record.hasMetadata {
      appendAttributes(.metadata, .metadata, record.metadata, record, row, &names)
    }
    if record.hasFeatures { appendFeatures(record, row, &names) }
    if let value = record.dataValue {
      set(.dataType, Int64(ValueType(value).rawValue), row)
      append(value, role: .data, key: 0, of: record, &names)
    }
  }

  private mutating func appendAttributes(
    _ column: ColumnID, _ role: AttributeRole, _ list: [EventRecord.Attribute],
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    scratch.removeAll(keepingCapacity: true)
    let hasCode = canHaveShape(list, record, names)
    if hasCode { writeShape(list[...], record, &names) }
    let code =
      hasCode ? names.codeOrLiteral(of: scratch[...], in: .shapes) : Vocabulary.literalCode
    set(column, Int64(code), row)
    if code == Vocabulary.literalCode {
      scratch.removeAll(keepingCapacity: true)
      AttributeLiteral.write(list[...], of: record, to: &scratch)
      appendLiteral(column)
    } else {
      append(list[...], role, record, &names)
    }
  }

  private mutating func appendFeatures(
    _ record: EventRecord, _ row: Int, _ names: inout NameRegister
  ) {
    scratch.removeAll(keepingCapacity: true)
    let hasCode = canHaveShape(record.features, record, names)
    if hasCode { writeFeaturesShape(record, &names) }
    let code =
      hasCode ? names.codeOrLiteral(of: scratch[...], in: .shapes) : Vocabulary.literalCode
    set(.features, Int64(code), row)
    if code == Vocabulary.literalCode {
      scratch.removeAll(keepingCapacity: true)
      AttributeLiteral.writeFeatures(of: record, to: &scratch)
      appendLiteral(.features)
    } else {
      append(record.features[...], .features, record, &names)
    }
  }

  /// Whether the attributes are few enough, and their names common enough, for a shape. The others stand in
  /// the frame with their names, so that names that come once cost nothing later.
  private func canHaveShape(
    _ list: [EventRecord.Attribute], _ record: EventRecord, _ names: NameRegister
  ) -> Bool {
    list.count <= Self.largestShape
      && list.allSatisfy { names.hasRoom(for: record.bytes[$0.name.range], in: .attributes) }
  }

  /// The most attributes that are columns of their own; longer lists stand in the frame as they are.
  static let largestShape = 2_048

  private mutating func writeFeaturesShape(_ record: EventRecord, _ names: inout NameRegister) {
    scratch.appendVariableLength(UInt64(record.featureGroups.count))
    var next = 0
    for group in record.featureGroups {
      let variant = names.code(of: record.bytes[group.variant.range], in: .variants)
      scratch.appendVariableLength(UInt64(variant))
      writeShape(record.features[next..<next + group.count], record, &names)
      next += group.count
    }
  }

  private mutating func writeShape(
    _ list: ArraySlice<EventRecord.Attribute>, _ record: EventRecord,
    _ names: inout NameRegister
  ) {
    scratch.appendVariableLength(UInt64(list.count))
    for attribute in list {
      let name = names.code(of: record.bytes[attribute.name.range], in: .attributes)
      let type = ValueType(attribute.value).rawValue
      scratch.appendVariableLength(UInt64(name) * 4 + UInt64(type) - 1)
    }
  }

  private mutating func append(
    _ list: ArraySlice<EventRecord.Attribute>, _ role: AttributeRole, _ record: EventRecord,
    _ names: inout NameRegister
  ) {
    for attribute in list {
      let key = names.code(of: record.bytes[attribute.name.range], in: .attributes)
      append(attribute.value, role: role, key: key, of: record, &names)
    }
  }

  private mutating func append(
    _ value: EventRecord.Value, role: AttributeRole, key: UInt32, of record: EventRecord,
    _ names: inout NameRegister
  ) {
    let index = attributeIndex(.attribute(role, ValueType(value)), key)
    looseBytes += 8
    switch value {
    case .number(let number): attributes[index].numbers.append(number)
    case .integer(let integer): attributes[index].integers.append(integer)
    case .flag(let flag): attributes[index].integers.append(flag ? 1 : 0)
    case .text(let slice):
      let text = record.bytes[slice.range]
      let code = names.codeOrLiteral(of: text, in: .values)
      attributes[index].integers.append(Int64(code))
      if code == Vocabulary.literalCode {
        attributes[index].literals.append(text)
        looseBytes += text.count
      }
    }
  }

  private mutating func attributeIndex(_ column: ColumnID, _ key: UInt32) -> Int {
    let both = UInt64(column.rawValue) << 32 | UInt64(key)
    if let index = attributeIndices[both] { return index }
    attributes.append(AttributeValues(column: column, key: key))
    attributeIndices[both] = attributes.count - 1
    return attributes.count - 1
  }

  // MARK: Ending a frame

  /// Sets a dense column of whole numbers, which has nothing to do with the rows.
  mutating func setDense(_ column: ColumnID, _ values: [Int64]) {
    let index = Int(column.rawValue)
    integers[index].removeAll()
    for (row, value) in values.enumerated() { integers[index].set(value, row: row) }
  }

  /// Fills the columns of whole numbers that are used up to the last row.
  mutating func finishColumns() {
    for index in integers.indices where !integers[index].values.isEmpty {
      integers[index].fill(to: count)
    }
  }

  /// Empties every column and keeps its memory.
  mutating func removeAll() {
    (count, looseBytes) = (0, 0)
    (earliest, latest) = (Int64.max, Int64.min)
    (kinds, experiments) = (0, 0)
    for index in integers.indices { integers[index].removeAll() }
    ids.removeAll()
    configurations.removeAll()
    unknowns.removeAll()
    propensities.removeAll()
    values.removeAll()
    revenues.removeAll()
    probabilities.removeAll(keepingCapacity: true)
    literals.removeAll()
    // Attributes that were not seen in the last frame are forgotten, so that what once was costs nothing.
    if attributes.contains(where: \.isEmpty) || attributes.count > 1_024 {
      attributes.removeAll()
      attributeIndices.removeAll()
    } else {
      for index in attributes.indices { attributes[index].removeAll() }
    }
  }
}
