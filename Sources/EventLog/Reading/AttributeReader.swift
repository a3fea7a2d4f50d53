internal import Events

/// Reassembles the attributes of a frame's rows from the shape of each row, and the next value of each stream that the
/// shape refers to.
struct AttributeReader {
  /// An attribute of a shape, with the stream that provides its values.
  private struct Field {
    var name: UInt32
    var type: ValueType
    var stream: Int
  }

  private struct Group {
    var variant: UInt32
    var fields: [Field]
  }

  /// The maximum number of values that any writer puts into a frame; bounds the allocations for reading a frame.
  static let largestCount = 1 << 24

  private let names: LogNames
  private var context: CodedTexts
  private var metadata: CodedTexts
  private var features: CodedTexts
  private let dataTypes: [UInt8]
  /// By role, then by the code of the shape.
  private var shapes: [[UInt32: [Group]]] = Array(
    repeating: [:], count: AttributeRole.allCases.count)
  private var streams: [AttributeStream] = []
  private var streamIndices: [UInt64: Int] = [:]
  /// The first code of the row without a name.
  private(set) var unnamed: (column: ColumnID, code: UInt32)?
  /// The total number of values of the shapes so far in all rows.
  private var valueCount = 0

  /// Whether a row has features, even if there are none of them.
  func hasFeatures(_ row: Int) -> Bool { features.code(row) != 0 }

  /// Reads the attributes of a frame, or only its features.
  init(
    _ reader: FrameReader, _ names: LogNames, onlyFeatures: Bool = false
  ) throws(LogError) {
    self.names = names
    let none = CodedTexts(rows: onlyFeatures ? reader.frame.rows : 0)
    context = try onlyFeatures ? none : CodedTexts(reader, .context, .shapes)
    metadata = try onlyFeatures ? none : CodedTexts(reader, .metadata, .shapes)
    features = try CodedTexts(reader, .features, .shapes)
    dataTypes =
      try onlyFeatures
      ? Array(repeating: 0, count: reader.frame.rows)
      : reader.integers(.dataType, as: UInt8.self)
    try resolve(context, .context, reader)
    try resolve(metadata, .metadata, reader)
    try resolve(features, .features, reader)
    for type in dataTypes {
      guard let type = ValueType(rawValue: type) else { continue }
      streams[stream(.data, type, 0)].count += 1
    }
    guard streams.reduce(0, { $0 + $1.count }) <= Self.largestCount else {
      throw reader.log.damage("more attributes than a frame may have", reader.frame)
    }
    for index in streams.indices { try streams[index].load(reader) }
  }

  // MARK: Shapes

  /// Resolves the shapes of a role, and counts the values that each of their streams must have.
  private mutating func resolve(
    _ coded: CodedTexts, _ role: AttributeRole, _ reader: FrameReader
  ) throws(LogError) {
    for (code, rows) in coded.rowCounts() where code > Vocabulary.literalCode {
      do throws(ColumnError) {
        guard let text = names.bytes(code, in: .shapes) else {
          throw ColumnError("it is lost, and with it where values belong")
        }
        guard text.count <= Vocabulary.shapes.longestText else {
          throw ColumnError("longer than a shape may be")
        }
        // If damage is skipped, names may be lost that no frame left room for.
        let isWhole = reader.log.policy == .strict
        let shape = try AttributeShape(
          text, role: role, attributeLimit: isWhole ? names.codeLimit(.attributes) : .max,
          variantLimit: isWhole ? names.codeLimit(.variants) : .max)
        // Checked shape by shape, so that neither counts nor the stored shapes grow without bounds.
        valueCount += shape.valueCount * rows
        guard valueCount <= Self.largestCount else {
          throw ColumnError("more values than a frame may have")
        }
        shapes[Int(role.rawValue)][code] = resolve(shape, role, rows: rows)
      } catch {
        throw reader.log.damage("shape \(code): \(error.reason)", reader.frame)
      }
    }
  }

  private mutating func resolve(
    _ shape: AttributeShape, _ role: AttributeRole, rows: Int
  ) -> [Group] {
    var groups: [Group] = []
    for group in shape.groups {
      var fields: [Field] = []
      for field in group.fields {
        let index = stream(role, field.type, field.name)
        streams[index].count += rows
        fields.append(Field(name: field.name, type: field.type, stream: index))
      }
      groups.append(Group(variant: group.variant, fields: fields))
    }
    return groups
  }

  /// Returns the index of the stream of an attribute and type.
  private mutating func stream(
    _ role: AttributeRole, _ type: ValueType, _ attribute: UInt32
  ) -> Int {
    let column = ColumnID.attribute(role, type)
    let key = UInt64(column.rawValue) << 32 | UInt64(attribute)
    if let index = streamIndices[key] { return index }
    streams.append(AttributeStream(column: column, type: type, attribute: attribute))
    streamIndices[key] = streams.count - 1
    return streams.count - 1
  }

  // MARK: Rows

  /// Appends the attributes of the row to the record. Rows must be requested in order.
  mutating func next(_ row: Int, into record: inout EventRecord) throws(ColumnError) {
    unnamed = nil
    if context.code(row) != 0 {
      record.hasContext = true
      try append(context.code(row), .context, to: &record, \.context, literals: \.context)
    }
    if metadata.code(row) != 0 {
      record.hasMetadata = true
      try append(metadata.code(row), .metadata, to: &record, \.metadata, literals: \.metadata)
    }
    if features.code(row) != 0 {
      record.hasFeatures = true
      try appendFeatures(features.code(row), to: &record)
    }
    if let type = ValueType(rawValue: dataTypes[row]) {
      record.dataValue = try value(stream(.data, type, 0), &record)
    }
  }

  private mutating func append(
    _ code: UInt32, _ role: AttributeRole, to record: inout EventRecord,
    _ list: WritableKeyPath<EventRecord, [EventRecord.Attribute]>,
    literals: WritableKeyPath<AttributeReader, CodedTexts>
  ) throws(ColumnError) {
    if code == Vocabulary.literalCode {
      let text = self[keyPath: literals].nextLiteralText()
      record[keyPath: list] = try AttributeLiteral.read(text, into: &record)
      return
    }
    guard let group = shapes[Int(role.rawValue)][code]?.first else { return }
    for field in group.fields {
      let attribute = try attribute(field, &record)
      record[keyPath: list].append(attribute)
    }
  }

  private mutating func appendFeatures(
    _ code: UInt32, to record: inout EventRecord
  ) throws(ColumnError) {
    if code == Vocabulary.literalCode {
      try AttributeLiteral.readFeatures(features.nextLiteralText(), into: &record)
      return
    }
    for group in shapes[Int(AttributeRole.features.rawValue)][code] ?? [] {
      let variant = try name(group.variant, .variants, .features, &record)
      record.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: group.fields.count))
      for field in group.fields { record.features.append(try attribute(field, &record)) }
    }
  }

  private mutating func attribute(
    _ field: Field, _ record: inout EventRecord
  ) throws(ColumnError) -> EventRecord.Attribute {
    let name = try name(field.name, .attributes, streams[field.stream].column, &record)
    return EventRecord.Attribute(name: name, value: try value(field.stream, &record))
  }

  private mutating func name(
    _ code: UInt32, _ vocabulary: Vocabulary, _ column: ColumnID, _ record: inout EventRecord
  ) throws(ColumnError) -> EventRecord.Slice {
    let name = names.bytes(code, in: vocabulary)
    if name == nil { unnamed = unnamed ?? (column, code) }
    return try record.addBounded(name ?? [])
  }

  private mutating func value(
    _ stream: Int, _ record: inout EventRecord
  ) throws(ColumnError) -> EventRecord.Value {
    let value = try streams[stream].next(into: &record, names)
    if let code = streams[stream].unnamed { unnamed = unnamed ?? (streams[stream].column, code) }
    return value
  }
}
