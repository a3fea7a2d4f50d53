internal import Events

/// The streams of one attribute in a frame, one for each type, and the numbers of their values in a batch.
struct SelectedStreams {
  private var numbers: [Double] = []
  private var integers: [Int64] = []
  private var flags: [Int64] = []
  private var texts: [UInt32] = []
  private var literals = TextList()
  /// The number of values taken of each stream.
  private var taken = (number: 0, integer: 0, flag: 0, text: 0, literal: 0)
  private var known: ValueNumbers
  /// The numbers of the values of one stream.
  private(set) var dense: [UInt32] = []

  /// Creates a set of empty streams.
  ///
  /// - Parameters:
  ///   - names: The names of the log's values.
  ///   - limit: The exclusive upper bound of their codes.
  init(_ names: LogNames = LogNames(path: "", []), limit: UInt32 = 0) {
    known = ValueNumbers(names, limit: limit)
  }

  /// Reads the streams that have values, given the count of each by raw value of ``ValueType``.
  ///
  /// - Throws: ``LogError`` if the frame does not have exactly as many.
  mutating func load(
    _ reader: FrameReader, _ role: AttributeRole, key: UInt32, _ counts: [Int],
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    begin()
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

  /// Resets the read positions and the numbers of values.
  mutating func begin() {
    known.removeAll()
    taken = (0, 0, 0, 0, 0)
  }

  // MARK: Values

  /// Takes all values of one type, which must be the only one, and stores their numbers in ``dense``.
  ///
  /// - Returns: False if there is a text whose name was erased or lost; the numbers cannot be used then.
  mutating func takeAll(_ type: ValueType, in column: inout AttributeColumn) -> Bool {
    // Moved out, so that numbers can be written while values are added.
    var taken = dense
    dense = []
    defer { dense = taken }
    switch type {
    case .number:
      taken.resize(to: numbers.count)
      var dense = taken.mutableSpan
      for index in numbers.indices {
        dense[index] = known.number(of: numbers[index].bitPattern, .number, in: &column)
      }
    case .integer:
      taken.resize(to: integers.count)
      for index in integers.indices {
        let bits = UInt64(bitPattern: integers[index])
        taken[index] = known.number(of: bits, .integer, in: &column)
      }
    case .flag:
      taken.resize(to: flags.count)
      var dense = taken.mutableSpan
      for index in flags.indices { dense[index] = known.number(of: flags[index] != 0, in: &column) }
    case .text: return takeTexts(&column, into: &taken)
    }
    return true
  }

  private mutating func takeTexts(
    _ column: inout AttributeColumn, into numbers: inout [UInt32]
  ) -> Bool {
    numbers.resize(to: texts.count)
    var dense = numbers.mutableSpan
    var highest: UInt32 = 0
    for index in texts.indices {
      let code = texts[index]
      let number =
        code == Vocabulary.literalCode
        ? nextLiteral(&column) : known.number(ofText: code, in: &column)
      highest = max(highest, number)
      dense[index] = number
    }
    return highest != ValueNumbers.lost
  }

  /// Takes the next value of a type, given by its raw value. It must not be called more often than the count of the
  /// type.
  ///
  /// - Returns: The number of the value in the column; for a text whose name was erased or lost, ``ValueNumbers/lost``
  ///   and its code.
  mutating func next(
    _ type: UInt32, in column: inout AttributeColumn
  ) -> (number: UInt32, text: UInt32) {
    switch type {
    case UInt32(ValueType.number.rawValue):
      taken.number += 1
      let bits = numbers[taken.number - 1].bitPattern
      return (known.number(of: bits, .number, in: &column), 0)
    case UInt32(ValueType.integer.rawValue):
      taken.integer += 1
      let bits = UInt64(bitPattern: integers[taken.integer - 1])
      return (known.number(of: bits, .integer, in: &column), 0)
    case UInt32(ValueType.flag.rawValue):
      taken.flag += 1
      return (known.number(of: flags[taken.flag - 1] != 0, in: &column), 0)
    default:
      taken.text += 1
      let code = texts[taken.text - 1]
      guard code == Vocabulary.literalCode else {
        return (known.number(ofText: code, in: &column), code)
      }
      return (nextLiteral(&column), code)
    }
  }

  private mutating func nextLiteral(_ column: inout AttributeColumn) -> UInt32 {
    taken.literal += 1
    return known.number(ofLiteral: literals[taken.literal - 1], in: &column)
  }

  /// Returns the number of a value that is stored in the frame itself, with its text in the record.
  mutating func number(
    of value: EventRecord.Value, _ record: EventRecord, in column: inout AttributeColumn
  ) -> UInt32 {
    switch value {
    case .number(let number): known.number(of: number.bitPattern, .number, in: &column)
    case .integer(let integer):
      known.number(of: UInt64(bitPattern: integer), .integer, in: &column)
    case .flag(let flag): known.number(of: flag, in: &column)
    case .text(let text): known.number(ofLiteral: record.bytes[text.range], in: &column)
    }
  }
}
