/// The codes that the events of some frames use: the names that remain in a log when the others are removed.
struct UsedNames {
  /// A bit for each code, by vocabulary.
  private var used: [[UInt64]]
  /// The lists of choices, whose items are variants, and of changed names, whose items are keys.
  private var lists: [Vocabulary: Set<UInt32>] = [:]
  private var shapes: [AttributeRole: Set<UInt32>] = [:]
  private let log: LogReader

  /// Creates an empty set.
  init(_ log: LogReader) {
    self.log = log
    used = Vocabulary.allCases.map {
      Array(repeating: 0, count: (Int(log.codeLimit($0)) + 63) / 64)
    }
  }

  /// Returns whether an event uses the code.
  func contains(_ code: UInt32, in vocabulary: Vocabulary) -> Bool {
    let words = used[vocabulary.index]
    let word = Int(code >> 6)
    return word < words.count && words[word] >> UInt64(code & 63) & 1 != 0
  }

  private mutating func insert(_ code: UInt64, _ vocabulary: Vocabulary) {
    let word = Int(clamping: code >> 6)
    guard word < used[vocabulary.index].count else { return }
    used[vocabulary.index][word] |= 1 << (code & 63)
  }

  private static let nameColumns: [(ColumnID, Vocabulary)] =
    [(.unit, .units)] + CodeKind.columns.map { ($0.column, $0.kind.vocabulary) }

  /// Inserts the codes in some columns.
  ///
  /// - Throws: ``ColumnError`` if a list is invalid.
  mutating func insert(_ columns: FrameColumns) throws(ColumnError) {
    for (column, vocabulary) in Self.nameColumns {
      var last: Int64 = 0
      for code in columns.integers[Int(column.rawValue)].values where code != last {
        last = code
        insert(UInt64(bitPattern: code), vocabulary)
        noteParts(of: UInt32(truncatingIfNeeded: code), column)
      }
    }
    for attribute in columns.attributes where attribute.column.attributeType == .text {
      for code in attribute.integers { insert(UInt64(bitPattern: code), .values) }
    }
    for attribute in columns.attributes where !attribute.isEmpty && attribute.key != 0 {
      insert(UInt64(attribute.key), .attributes)
    }
    try insertLiterals(columns, .choices, .variants)
    try insertLiterals(columns, .changed, .keys)
  }

  /// Records a list or shape, whose parts are inserted once all are known.
  private mutating func noteParts(of code: UInt32, _ column: ColumnID) {
    guard code > Vocabulary.literalCode else { return }
    switch column {
    case .choices: lists[.variants, default: []].insert(code)
    case .changed: lists[.keys, default: []].insert(code)
    case .context: shapes[.context, default: []].insert(code)
    case .metadata: shapes[.metadata, default: []].insert(code)
    case .features: shapes[.features, default: []].insert(code)
    default: break
    }
  }

  private mutating func insertLiterals(
    _ columns: FrameColumns, _ column: ColumnID, _ items: Vocabulary
  ) throws(ColumnError) {
    guard let texts = columns.literals[column.rawValue] else { return }
    for index in 0..<texts.count { try insertList(texts[index], items) }
  }

  private mutating func insertList(
    _ text: ArraySlice<UInt8>, _ items: Vocabulary
  ) throws(ColumnError) {
    var reader = LittleEndianReader(text)
    for _ in 0..<(try reader.readVariableLength()) {
      insert(try reader.readVariableLength(), items)
    }
  }

  /// Inserts the parts of the lists and shapes, once every frame's columns were inserted.
  ///
  /// - Throws: ``ColumnError`` if one of them is invalid.
  mutating func insertParts(_ names: LogNames) throws(ColumnError) {
    for (items, codes) in lists {
      for code in codes { try insertList(names.bytes(code, in: .lists) ?? [0], items) }
    }
    for (role, codes) in shapes {
      for code in codes {
        let shape = try AttributeShape(
          names.bytes(code, in: .shapes) ?? [0], role: role,
          attributeLimit: log.codeLimit(.attributes), variantLimit: log.codeLimit(.variants))
        for group in shape.groups {
          if role == .features { insert(UInt64(group.variant), .variants) }
          for field in group.fields { insert(UInt64(field.name), .attributes) }
        }
      }
    }
  }
}
