internal import Events

/// Puts the attributes of a frame's rows together again: from the shape of a row, and the next value of
/// each stream that the shape names.
struct AttributeReader {
  /// The values of one attribute and type, taken one after the other.
  private struct Stream {
    var integers: [Int64] = []
    var numbers: [Double] = []
    var literals = TextList()
    var next = 0
    var nextLiteral = 0
  }

  private static let roles: [(AttributeRole, ColumnID)] = [
    (.context, .context), (.metadata, .metadata), (.features, .features),
  ]

  private let names: LogNames
  private var shapeCodes: [CodedTexts] = []
  private let dataTypes: [UInt8]
  private var shapes: [UInt64: AttributeShape] = [:]
  private var streams: [UInt64: Stream] = [:]

  init(_ reader: FrameReader, _ names: LogNames) throws(LogError) {
    self.names = names
    dataTypes = try reader.integers(.dataType, as: UInt8.self)
    var counts: [UInt64: Int] = [:]
    for (role, column) in Self.roles {
      let coded = try CodedTexts(reader, column, .shapes)
      shapeCodes.append(coded)
      for row in 0..<reader.frame.rows where coded.code(row) > Vocabulary.literalCode {
        try count(try shape(coded.code(row), role, reader), role, &counts)
      }
    }
    for type in dataTypes {
      guard let type = ValueType(rawValue: type) else { continue }
      counts[Self.key(.attribute(.data, type), 0), default: 0] += 1
    }
    guard counts.values.reduce(0, +) <= Self.largestCount else {
      throw reader.log.damage("more attributes than a frame may have", reader.frame)
    }
    for (key, count) in counts {
      streams[key] = try Self.stream(reader, key, count)
    }
  }

  /// More values than any writer puts into a frame; a bound for what reading a frame may allocate.
  private static let largestCount = 1 << 24

  private static func key(_ column: ColumnID, _ attribute: UInt32) -> UInt64 {
    UInt64(column.rawValue) << 32 | UInt64(attribute)
  }

  /// The shape of a code, in the role in which it is used.
  private mutating func shape(
    _ code: UInt32, _ role: AttributeRole, _ reader: FrameReader
  ) throws(LogError) -> AttributeShape {
    // The same bytes can stand for a context and for features, so what was read is kept by both.
    let key = UInt64(code) << 2 | UInt64(role.rawValue)
    if let known = shapes[key] { return known }
    do throws(ColumnError) {
      let shape = try AttributeShape(
        names.bytes(code, in: .shapes) ?? [], role: role,
        attributeLimit: names.codeLimit(.attributes), variantLimit: names.codeLimit(.variants))
      shapes[key] = shape
      return shape
    } catch {
      throw reader.log.damage("shape \(code): \(error.reason)", reader.frame)
    }
  }

  private func count(
    _ shape: AttributeShape, _ role: AttributeRole, _ counts: inout [UInt64: Int]
  ) throws(LogError) {
    for group in shape.groups {
      for field in group.fields {
        counts[Self.key(.attribute(role, field.type), field.name), default: 0] += 1
      }
    }
  }

  private static func stream(
    _ reader: FrameReader, _ key: UInt64, _ count: Int
  ) throws(LogError) -> Stream {
    let column = ColumnID(rawValue: UInt16(key >> 32))
    let attribute = UInt32(truncatingIfNeeded: key)
    guard let entry = reader.frame.entry(column, key: attribute) else {
      throw reader.log.damage("column \(column.name) is missing", reader.frame)
    }
    var stream = Stream()
    switch (column.rawValue - 32) % 4 {
    case 0: stream.numbers = try reader.denseNumbers(entry, count: count)
    case 2:
      let codes = try reader.codes(entry, count: count, in: .values)
      stream.literals = try CodedTexts.literals(reader, column, key: attribute, codes)
      stream.integers = codes.map { Int64($0) }
    default: stream.integers = try reader.integers(entry, count: count, as: Int64.self)
    }
    return stream
  }

  /// Appends the attributes of the row to the record. Rows must be asked for in order.
  mutating func next(_ row: Int, into record: inout EventRecord) throws(ColumnError) {
    if shapeCodes[0].code(row) != 0 {
      record.hasContext = true
      record.context = try list(0, row, &record)
    }
    if shapeCodes[1].code(row) != 0 {
      record.hasMetadata = true
      record.metadata = try list(1, row, &record)
    }
    if shapeCodes[2].code(row) != 0 {
      record.hasFeatures = true
      try features(row, &record)
    }
    if let type = ValueType(rawValue: dataTypes[row]) {
      record.dataValue = try value(.data, type, 0, &record)
    }
  }

  private mutating func list(
    _ index: Int, _ row: Int, _ record: inout EventRecord
  ) throws(ColumnError) -> [EventRecord.Attribute] {
    let role = Self.roles[index].0
    let code = shapeCodes[index].code(row)
    if code == Vocabulary.literalCode {
      return try AttributeLiteral.read(shapeCodes[index].nextLiteralText(), into: &record)
    }
    guard let group = shapes[UInt64(code) << 2 | UInt64(role.rawValue)]?.groups.first else {
      return []
    }
    return try attributes(group, role, &record)
  }

  private mutating func features(_ row: Int, _ record: inout EventRecord) throws(ColumnError) {
    let code = shapeCodes[2].code(row)
    if code == Vocabulary.literalCode {
      try AttributeLiteral.readFeatures(shapeCodes[2].nextLiteralText(), into: &record)
      return
    }
    let shape = shapes[UInt64(code) << 2 | UInt64(AttributeRole.features.rawValue)]
    for group in shape?.groups ?? [] {
      let variant = record.add(names.bytes(group.variant, in: .variants) ?? [])
      record.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: group.fields.count))
      record.features.append(contentsOf: try attributes(group, .features, &record))
    }
  }

  private mutating func attributes(
    _ group: AttributeShape.Group, _ role: AttributeRole, _ record: inout EventRecord
  ) throws(ColumnError) -> [EventRecord.Attribute] {
    var list: [EventRecord.Attribute] = []
    list.reserveCapacity(group.fields.count)
    for field in group.fields {
      let name = record.add(names.bytes(field.name, in: .attributes) ?? [])
      let value = try value(role, field.type, field.name, &record)
      list.append(EventRecord.Attribute(name: name, value: value))
    }
    return list
  }

  private mutating func value(
    _ role: AttributeRole, _ type: ValueType, _ attribute: UInt32, _ record: inout EventRecord
  ) throws(ColumnError) -> EventRecord.Value {
    let key = Self.key(.attribute(role, type), attribute)
    guard let index = streams.index(forKey: key) else { throw ColumnError("values are missing") }
    defer { streams.values[index].next += 1 }
    let next = streams.values[index].next
    switch type {
    case .number: return .number(streams.values[index].numbers[next])
    case .integer: return .integer(streams.values[index].integers[next])
    case .flag: return .flag(streams.values[index].integers[next] != 0)
    case .text:
      let code = UInt32(truncatingIfNeeded: streams.values[index].integers[next])
      if code == Vocabulary.literalCode {
        defer { streams.values[index].nextLiteral += 1 }
        return .text(record.add(streams.values[index].literals[streams.values[index].nextLiteral]))
      }
      return .text(record.add(names.bytes(code, in: .values) ?? []))
    }
  }
}
