public import Events

extension LogReader {
  /// Calls the closure with each event and its position, in order. Events are returned exactly as they were appended.
  ///
  /// - Parameters:
  ///   - positions: The positions to read; frames outside are not read.
  ///   - filter: Selects the frames to read; the closure still receives all events of those.
  ///   - body: Receives each event. The record is reused for the next one.
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  /// - Complexity: O(number of events); memory for one frame and for all names of the log.
  public func forEachEvent(
    in positions: Range<UInt64> = 0..<UInt64.max, where filter: FrameFilter = FrameFilter(),
    _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    let wanted = frames.filter {
      $0.isKnown && $0.rows > 0 && filter.admits($0) && $0.endPosition > positions.lowerBound
        && $0.basePosition < positions.upperBound
    }
    guard !wanted.isEmpty else { return }
    let names = try LogNames(self, Set(Vocabulary.allCases))
    var record = EventRecord()
    for frame in wanted {
      try forEachEvent(of: frame, names, &record) { record, position in
        if positions.contains(position) { try body(record, position) }
      }
    }
  }

  /// Calls the closure with each event of one frame, in order. Several threads may read different frames at once.
  ///
  /// - Parameters:
  ///   - index: An index into ``frames``, as returned by ``admittedFrames(where:)``; an invalid one has no events.
  ///   - names: All names of the log.
  ///   - body: Receives each event and its position. The record is reused for the next one.
  /// - Throws: ``LogError`` if the frame cannot be read, and errors of the closure.
  package func forEachEvent(
    ofFrame index: Int, _ names: LogNames, _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    guard rowCount(ofFrame: index) > 0 else { return }
    var record = EventRecord()
    try forEachEvent(of: frames[index], names, &record, body)
  }

  private func forEachEvent(
    of frame: FrameInfo, _ names: LogNames, _ record: inout EventRecord,
    _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    let rows = try passingOver { () throws(LogError) in
      try RowReader(FrameReader(log: self, frame: frame), names)
    }
    guard var rows else { return }
    for row in 0..<frame.rows {
      guard let isKnown = try passingOver({ () throws(LogError) in try rows.next(into: &record) })
      else { break }
      if isKnown { try body(record, frame.basePosition + UInt64(row)) }
    }
  }
}

/// Reassembles the events of a frame, row by row, from all of its columns.
struct RowReader {
  private let reader: FrameReader
  private let names: LogNames
  private var row = 0

  private let kinds: [UInt8]
  private let times: [Int64]
  private let units: [UInt32]
  private let statuses: [UInt8]
  private let negatives: [UInt8]
  private var nameCodes: [(EventRecord.TextField, ColumnID, Vocabulary, [UInt32])] = []
  private var texts: [(EventRecord.TextField, Bitmap, TextList, next: Int)] = []
  private let propensities: NumberColumn
  private let values: NumberColumn
  private let revenues: NumberColumn
  private let probabilities: ProbabilityColumn
  private var choices: CodedTexts
  private var changed: CodedTexts
  private var attributes: AttributeReader
  /// The first code of the row without a name.
  private var unnamed: (column: ColumnID, code: UInt32)?

  init(_ reader: FrameReader, _ names: LogNames) throws(LogError) {
    self.reader = reader
    self.names = names
    kinds = try reader.integers(.kind, as: UInt8.self)
    times = try reader.integers(.time, as: Int64.self)
    units = try reader.codes(.unit, in: .units)
    statuses = try reader.integers(.status, as: UInt8.self)
    negatives = try reader.integers(.negative, as: UInt8.self)
    propensities = try reader.numbers(.propensity)
    values = try reader.numbers(.value)
    revenues = try reader.numbers(.revenue)
    probabilities = try ProbabilityColumn(reader)
    choices = try CodedTexts(reader, .choices, .lists)
    changed = try CodedTexts(reader, .changed, .lists)
    attributes = try AttributeReader(reader, names)
    try readNames()
    try readTexts()
  }

  private mutating func readNames() throws(LogError) {
    for field in EventRecord.TextField.names where reader.frame.entry(field.column) != nil {
      guard let vocabulary = field.vocabulary else { continue }
      nameCodes.append(
        (field, field.column, vocabulary, try reader.codes(field.column, in: vocabulary)))
    }
  }

  private mutating func readTexts() throws(LogError) {
    for field in EventRecord.TextField.texts {
      if let (present, list) = try reader.texts(field.column) {
        texts.append((field, present, list, 0))
      }
    }
  }

  /// Fills the record with the next event of the frame.
  ///
  /// - Returns: Whether there is an event of a kind that this version knows; if not, the record is unspecified. Erased
  ///   and lost events return false, and so does one that uses a lost name, if damage is skipped.
  /// - Throws: ``LogError`` if the event cannot be reassembled; the events after it cannot be read then either.
  mutating func next(into record: inout EventRecord) throws(LogError) -> Bool {
    defer { row += 1 }
    unnamed = nil
    let kind = EventKind(rawValue: kinds[row])
    record.reset(kind: kind ?? .dataPoint, time: Timestamp(microseconds: times[row]))
    let unit = units[row] == 0 ? nil : try names.unit(units[row])
    record.status = EventStatus(rawValue: statuses[row])
    record.negative = negatives[row] == 0 ? nil : negatives[row] == 2
    record.propensity = propensities[row]
    record.value = values[row]
    record.revenue = revenues[row]
    readLists(into: &record)
    do throws(ColumnError) {
      try readNames(unit: unit, into: &record)
      try readTexts(into: &record)
      record.hasChoices = try list(\.choices, .choices, .variants, &record, \.choices)
      record.hasChanged = try list(\.changed, .changed, .keys, &record, \.changed)
      try attributes.next(row, into: &record)
    } catch {
      let damage = reader.log.damage("row \(row): \(error.reason)", reader.frame)
      throw reader.log.unread(damage, from: row, of: reader.frame)
    }
    guard let unnamed = unnamed ?? attributes.unnamed else { return kind != nil }
    try reader.log.passOver(
      reader.log.unnamed(unnamed.column, unnamed.code, row: row, of: reader.frame))
    return false
  }

  private mutating func readNames(
    unit: ArraySlice<UInt8>?, into record: inout EventRecord
  ) throws(ColumnError) {
    if let unit {
      record[.unit] = try record.addBounded(unit)
    } else if units[row] != 0 {
      unnamed = (.unit, units[row])
    }
    for (field, column, vocabulary, codes) in nameCodes where codes[row] != 0 {
      if let name = names.bytes(codes[row], in: vocabulary) {
        record[field] = try record.addBounded(name)
      } else {
        unnamed = unnamed ?? (column, codes[row])
      }
    }
  }

  private mutating func list(
    _ texts: WritableKeyPath<RowReader, CodedTexts>, _ column: ColumnID, _ items: Vocabulary,
    _ record: inout EventRecord, _ target: WritableKeyPath<EventRecord, [EventRecord.Slice]>
  ) throws(ColumnError) -> Bool {
    let code = self[keyPath: texts].code(row)
    guard code != 0 else { return false }
    if let lost = try self[keyPath: texts].list(row, items, names, &record, target) {
      unnamed = unnamed ?? (column, lost)
    }
    return true
  }

  private mutating func readTexts(into record: inout EventRecord) throws(ColumnError) {
    for index in texts.indices where texts[index].1[row] {
      record[texts[index].0] = try record.addBounded(texts[index].2[texts[index].next])
      texts[index].next += 1
    }
  }

  private func readLists(into record: inout EventRecord) {
    guard let own = probabilities[row] else { return }
    record.hasProbabilities = true
    record.probabilities.append(contentsOf: own)
  }
}

/// A column of codes of texts, with the texts that have no code.
struct CodedTexts {
  private let codes: [UInt32]
  private let literals: TextList
  private var nextLiteral = 0
  private let vocabulary: Vocabulary

  init(_ reader: FrameReader, _ column: ColumnID, _ vocabulary: Vocabulary) throws(LogError) {
    self.vocabulary = vocabulary
    codes = try reader.codes(column, in: vocabulary)
    literals = try Self.literals(reader, column, key: 0, codes)
  }

  /// Creates a column in which no row has a text.
  init(rows: Int) {
    vocabulary = .shapes
    codes = Array(repeating: 0, count: rows)
    literals = TextList()
  }

  static func literals(
    _ reader: FrameReader, _ column: ColumnID, key: UInt32, _ codes: [UInt32]
  ) throws(LogError) -> TextList {
    let count = codes.reduce(into: 0) { if $1 == Vocabulary.literalCode { $0 += 1 } }
    guard count > 0 else { return TextList() }
    guard let entry = reader.frame.entry(column.literals, key: key) else {
      throw reader.log.damage("the texts of column \(column.name) are missing", reader.frame)
    }
    return try reader.denseTexts(entry, count: count)
  }

  func code(_ row: Int) -> UInt32 { codes[row] }

  /// Returns the number of rows of each code, in ascending order of the codes.
  func rowCounts() -> [(code: UInt32, rows: Int)] {
    var counts: [UInt32: Int] = [:]
    for code in codes { counts[code, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { (code: $0.key, rows: $0.value) }
  }

  mutating func nextLiteralText() -> ArraySlice<UInt8> {
    defer { nextLiteral += 1 }
    return literals[nextLiteral]
  }

  /// Appends the names of the row's list to the record.
  ///
  /// - Returns: The first code, that of the list or of one of its items, without a name; nil if all have one.
  mutating func list(
    _ row: Int, _ items: Vocabulary, _ names: LogNames, _ record: inout EventRecord,
    _ target: WritableKeyPath<EventRecord, [EventRecord.Slice]>
  ) throws(ColumnError) -> UInt32? {
    let text =
      codes[row] == Vocabulary.literalCode
      ? nextLiteralText() : names.bytes(codes[row], in: vocabulary)
    guard let text else { return codes[row] }
    try Self.requireLength(text, codes[row], vocabulary)
    var lost: UInt32?
    try Self.forEachItem(of: text) { code throws(ColumnError) in
      guard let name = names.bytes(code, in: items) else {
        lost = lost ?? code
        return
      }
      let slice = try record.addBounded(name)
      record[keyPath: target].append(slice)
    }
    return lost
  }

  /// Throws for a list that has a code although it is too long for one.
  static func requireLength(
    _ text: ArraySlice<UInt8>, _ code: UInt32, _ vocabulary: Vocabulary
  ) throws(ColumnError) {
    guard code == Vocabulary.literalCode || text.count <= vocabulary.longestText else {
      throw ColumnError("list \(code) is longer than a list may be")
    }
  }

  /// Calls the closure with the code of each item of a list.
  ///
  /// - Throws: ``ColumnError`` if the text is not a list, and errors of the closure.
  static func forEachItem(
    of list: ArraySlice<UInt8>, _ body: (UInt32) throws(ColumnError) -> Void
  ) throws(ColumnError) {
    var reader = LittleEndianReader(list)
    let count = try reader.readVariableLength()
    for _ in 0..<count {
      guard let code = UInt32(exactly: try reader.readVariableLength()) else {
        throw ColumnError("a list names a code that is not there")
      }
      try body(code)
    }
    try reader.requireEnd()
  }
}
