internal import Events

/// The attributes of a frame: the values of each, and the rows that they belong to.
struct CopiedAttributes {
  /// The values of one type of one attribute, in the order of their rows.
  struct Values {
    var column: ColumnID
    /// The code of the attribute; 0 for data.
    var key: UInt32
    var type: ValueType
    /// The row of each value, ascending; a row with features of several variants may have several.
    var rows: [UInt32] = []
    var integers: [Int64] = []
    var numbers: [Double] = []
    /// The texts of the values that are ``Vocabulary/literalCode``, in order.
    var literals = TextList()
  }

  private(set) var all: [Values] = []
  private let reader: FrameReader
  private let names: LogNames
  private var places: [UInt64: Int] = [:]
  private var valueCount = 0

  init(_ reader: FrameReader, _ names: LogNames) {
    (self.reader, self.names) = (reader, names)
  }

  /// Finds the rows of the attributes of one role by their shapes.
  ///
  /// - Throws: ``LogError`` if a shape is invalid.
  mutating func addShapes(_ codes: [UInt32], _ role: AttributeRole) throws(LogError) {
    var shapes: [UInt32: [Int]] = [:]
    var last: (code: UInt32, places: [Int]) = (0, [])
    for row in codes.indices where codes[row] > Vocabulary.literalCode {
      if codes[row] != last.code {
        var found = shapes[codes[row]]
        if found == nil { found = try places(ofShape: codes[row], role) }
        shapes[codes[row]] = found
        last = (codes[row], found ?? [])
      }
      try count(last.places.count)
      for place in last.places { all[place].rows.append(UInt32(row)) }
    }
  }

  /// Finds the rows of the values of data points by their types.
  ///
  /// - Throws: ``LogError`` if there are more values than a frame may have.
  mutating func addData(_ types: [UInt8]) throws(LogError) {
    let places = ValueType.allCases.map { type in (type, place(.attribute(.data, type), 0, type)) }
    for row in types.indices where types[row] != 0 {
      guard let place = places.first(where: { $0.0.rawValue == types[row] })?.1 else { continue }
      try count(1)
      all[place].rows.append(UInt32(row))
    }
  }

  private mutating func count(_ values: Int) throws(LogError) {
    valueCount += values
    guard valueCount <= AttributeReader.largestCount else {
      throw reader.log.damage("more attributes than a frame may have", reader.frame)
    }
  }

  private mutating func places(
    ofShape code: UInt32, _ role: AttributeRole
  ) throws(LogError) -> [Int] {
    do throws(ColumnError) {
      guard let text = names.bytes(code, in: .shapes) else { throw ColumnError("it has no name") }
      let shape = try AttributeShape(
        text, role: role, attributeLimit: names.codeLimit(.attributes),
        variantLimit: names.codeLimit(.variants))
      return shape.groups.flatMap(\.fields).map {
        place(.attribute(role, $0.type), $0.name, $0.type)
      }
    } catch {
      throw reader.log.damage("shape \(code): \(error.reason)", reader.frame)
    }
  }

  private mutating func place(_ column: ColumnID, _ key: UInt32, _ type: ValueType) -> Int {
    let id = UInt64(column.rawValue) << 32 | UInt64(key)
    if let known = places[id] { return known }
    places[id] = all.count
    all.append(Values(column: column, key: key, type: type))
    return all.count - 1
  }

  /// Reads the values, of which there must be one for each row found.
  ///
  /// - Throws: ``LogError`` if there are not.
  mutating func load() throws(LogError) {
    all.removeAll { $0.rows.isEmpty }
    for index in all.indices {
      let (column, key, count) = (all[index].column, all[index].key, all[index].rows.count)
      guard let entry = reader.frame.entry(column, key: key) else {
        throw reader.log.damage("column \(column.name) is missing", reader.frame)
      }
      switch all[index].type {
      case .number: all[index].numbers = try reader.denseNumbers(entry, count: count)
      case .integer, .flag:
        all[index].integers = try reader.integers(entry, count: count, as: Int64.self)
      case .text:
        let codes = try reader.codes(entry, count: count, in: .values)
        all[index].literals = try CodedTexts.literals(reader, column, key: key, codes)
        all[index].integers = codes.map { Int64($0) }
      }
    }
  }
}
