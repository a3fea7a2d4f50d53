internal import Events

/// The values of one attribute and type in a frame, read sequentially.
struct AttributeStream {
  let column: ColumnID
  let type: ValueType
  let attribute: UInt32
  /// The number of values according to the shapes of the frame's rows.
  var count = 0

  private var integers: [Int64] = []
  private var numbers: [Double] = []
  private var literals = TextList()
  private var nextValue = 0
  private var nextLiteral = 0
  /// The code of the last value, if it has no name; the value is then empty.
  private(set) var unnamed: UInt32?

  init(column: ColumnID, type: ValueType, attribute: UInt32) {
    self.column = column
    self.type = type
    self.attribute = attribute
  }

  /// Reads `count` values.
  ///
  /// - Throws: ``LogError`` if the frame does not have exactly that many.
  mutating func load(_ reader: FrameReader) throws(LogError) {
    guard let entry = reader.frame.entry(column, key: attribute) else {
      throw reader.log.damage("column \(column.name) is missing", reader.frame)
    }
    switch type {
    case .number: numbers = try reader.denseNumbers(entry, count: count)
    case .text:
      let codes = try reader.codes(entry, count: count, in: .values)
      literals = try CodedTexts.literals(reader, column, key: attribute, codes)
      integers = codes.map { Int64($0) }
    case .integer, .flag: integers = try reader.integers(entry, count: count, as: Int64.self)
    }
  }

  /// Reads the next value; a text is copied into the record. It must not be called more than `count` times.
  mutating func next(
    into record: inout EventRecord, _ names: LogNames
  ) throws(ColumnError) -> EventRecord.Value {
    defer { nextValue += 1 }
    switch type {
    case .number: return .number(numbers[nextValue])
    case .integer: return .integer(integers[nextValue])
    case .flag: return .flag(integers[nextValue] != 0)
    case .text:
      let code = UInt32(truncatingIfNeeded: integers[nextValue])
      guard code == Vocabulary.literalCode else {
        let name = names.bytes(code, in: .values)
        unnamed = name == nil ? code : nil
        return .text(try record.addBounded(name ?? []))
      }
      unnamed = nil
      defer { nextLiteral += 1 }
      return .text(try record.addBounded(literals[nextLiteral]))
    }
  }
}
