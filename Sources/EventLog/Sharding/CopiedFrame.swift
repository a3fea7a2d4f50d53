/// The columns of a frame, decoded to copy some of its rows to other logs.
struct CopiedFrame {
  /// A column of codes by row.
  struct Codes {
    var column: ColumnID
    var kind: CodeKind
    var codes: [UInt32]
    /// The texts of the rows whose code is ``Vocabulary/literalCode``.
    var literals: OptionalTexts?
  }

  /// A column of small numbers by row, 0 for none.
  struct Flags {
    var column: ColumnID
    var values: [UInt8]
  }

  let reader: FrameReader
  let kinds: [UInt8]
  let times: [Int64]
  let units: [UInt32]
  private(set) var codes: [Codes] = []
  private(set) var flags: [Flags] = []
  let propensities: NumberColumn?
  let values: NumberColumn?
  let revenues: NumberColumn?
  let ids: OptionalTexts?
  let configurations: OptionalTexts?
  let unknowns: OptionalTexts?
  /// nil if no row has any.
  let probabilities: ProbabilityColumn?
  let attributes: CopiedAttributes

  /// The number of rows.
  var count: Int { kinds.count }

  /// Decodes a frame.
  ///
  /// - Parameters:
  ///   - reader: The frame.
  ///   - names: The names of all vocabularies of its log but units.
  /// - Throws: ``LogError`` if a column cannot be read.
  init(_ reader: FrameReader, _ names: LogNames) throws(LogError) {
    self.reader = reader
    kinds = try reader.integers(.kind, as: UInt8.self)
    times = try reader.integers(.time, as: Int64.self)
    units = try reader.codes(.unit, in: .units)
    propensities = try Self.numbers(.propensity, reader)
    values = try Self.numbers(.value, reader)
    revenues = try Self.numbers(.revenue, reader)
    ids = try reader.texts(.id).map { OptionalTexts($0.texts, in: $0.present) }
    configurations = try reader.texts(.configuration).map {
      OptionalTexts($0.texts, in: $0.present)
    }
    unknowns = try reader.texts(.unknown).map { OptionalTexts($0.texts, in: $0.present) }
    probabilities =
      reader.frame.entry(.probabilityCount) == nil ? nil : try ProbabilityColumn(reader)
    var attributes = CopiedAttributes(reader, names)
    for (column, kind) in CodeKind.columns where reader.frame.entry(column) != nil {
      let codes = try reader.codes(column, in: kind.vocabulary)
      self.codes.append(
        Codes(
          column: column, kind: kind, codes: codes,
          literals: try Self.literals(column, kind, codes, reader)))
      if let role = CodeKind.role(of: column) { try attributes.addShapes(codes, role) }
    }
    for column in [ColumnID.status, .negative, .dataType] where reader.frame.entry(column) != nil {
      let values = try reader.integers(column, as: UInt8.self)
      flags.append(Flags(column: column, values: values))
      if column == .dataType { try attributes.addData(values) }
    }
    try attributes.load()
    self.attributes = attributes
  }

  private static func numbers(
    _ column: ColumnID, _ reader: FrameReader
  ) throws(LogError) -> NumberColumn? {
    reader.frame.entry(column) == nil ? nil : try reader.numbers(column)
  }

  private static func literals(
    _ column: ColumnID, _ kind: CodeKind, _ codes: [UInt32], _ reader: FrameReader
  ) throws(LogError) -> OptionalTexts? {
    guard kind.hasLiterals else { return nil }
    let texts = try CodedTexts.literals(reader, column, key: 0, codes)
    guard texts.count > 0 else { return nil }
    return OptionalTexts(texts, in: codes) { $0 == Vocabulary.literalCode }
  }
}

/// Texts that some rows have.
struct OptionalTexts {
  private let texts: TextList
  /// By row the index of its text; -1 for none.
  private let indices: [Int32]

  init(_ texts: TextList, in present: Bitmap) {
    var indices = [Int32](repeating: -1, count: present.count)
    var next: Int32 = 0
    present.forEachSet { row in
      indices[row] = next
      next += 1
    }
    (self.texts, self.indices) = (texts, indices)
  }

  /// Creates texts of the rows whose value satisfies the closure.
  init<Value>(_ texts: TextList, in rows: [Value], where hasText: (Value) -> Bool) {
    var next: Int32 = 0
    indices = rows.map { value in
      guard hasText(value) else { return -1 }
      next += 1
      return next - 1
    }
    self.texts = texts
  }

  /// The text of a row; nil if it has none.
  subscript(row: Int) -> ArraySlice<UInt8>? {
    let index = indices[row]
    return index < 0 ? nil : texts[Int(index)]
  }
}
