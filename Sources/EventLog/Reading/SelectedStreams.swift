internal import Events

/// The streams of one attribute in a frame, one for each type, and the numbers of their values in a batch.
struct SelectedStreams {
  private var numbers: [Double] = []
  private var integers: [Int64] = []
  private var flags: [Int64] = []
  private var texts: [UInt32] = []
  private var literals = TextList()
  /// How many values were taken of each stream.
  private var taken = (number: 0, integer: 0, flag: 0, text: 0, literal: 0)
  private var known: ValueNumbers
  /// The code of the last text that was taken.
  private(set) var lastText: UInt32 = 0

  /// Streams of a log with these names of values; without any, none may be read.
  init(_ names: LogNames = LogNames(path: "", [])) { known = ValueNumbers(names) }

  /// Reads the streams that have values, as many as the counts say: by raw value of ``ValueType``.
  ///
  /// - Throws: ``LogError`` when the frame does not have exactly as many.
  mutating func load(
    _ reader: FrameReader, _ role: AttributeRole, key: UInt32, _ counts: [Int],
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    known.removeAll()
    taken = (0, 0, 0, 0, 0)
    for type in ValueType.allCases where counts[Int(type.rawValue)] > 0 {
      let count = counts[Int(type.rawValue)]
      let column = ColumnID.attribute(role, type)
      guard let entry = reader.frame.entry(column, key: key) else {
        throw reader.log.damage("column \(column.name) is missing", reader.frame)
      }
      switch type {
      case .number: try reader.denseNumbers(entry, count: count, into: &numbers, &buffers)
      case .integer: try reader.integers(entry, count: count, into: &integers, &buffers)
      case .flag: try reader.integers(entry, count: count, into: &flags, &buffers)
      case .text:
        try reader.codes(entry, count: count, in: .values, into: &texts, &buffers)
        literals = try CodedTexts.literals(reader, column, key: key, texts)
      }
    }
  }

  /// Takes the next value of a type, given by its raw value. It must not be called more often than the count said.
  ///
  /// - Returns: The number of the value in the column; ``ValueNumbers/lost`` for a text whose name was erased or
  ///   lost.
  @inline(__always)
  mutating func next(_ type: UInt32, in column: inout AttributeColumn) -> UInt32 {
    switch type {
    case UInt32(ValueType.number.rawValue):
      taken.number &+= 1
      return known.number(of: numbers[taken.number &- 1].bitPattern, .number, in: &column)
    case UInt32(ValueType.integer.rawValue):
      taken.integer &+= 1
      let integer = integers[taken.integer &- 1]
      return known.number(of: UInt64(bitPattern: integer), .integer, in: &column)
    case UInt32(ValueType.flag.rawValue):
      taken.flag &+= 1
      return known.number(of: flags[taken.flag &- 1] == 0 ? 0 : 1, .flag, in: &column)
    default:
      taken.text &+= 1
      lastText = texts[taken.text &- 1]
      guard lastText == Vocabulary.literalCode else {
        return known.number(ofText: lastText, in: &column)
      }
      taken.literal &+= 1
      return known.number(ofLiteral: literals[taken.literal &- 1], in: &column)
    }
  }

  /// The number of a value that stands in the frame itself, with its text in the record.
  mutating func number(
    of value: EventRecord.Value, _ record: EventRecord, in column: inout AttributeColumn
  ) -> UInt32 {
    switch value {
    case .number(let number): known.number(of: number.bitPattern, .number, in: &column)
    case .integer(let integer):
      known.number(of: UInt64(bitPattern: integer), .integer, in: &column)
    case .flag(let flag): known.number(of: flag ? 1 : 0, .flag, in: &column)
    case .text(let text): known.number(ofLiteral: record.bytes[text.range], in: &column)
    }
  }
}
