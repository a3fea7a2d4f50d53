internal import Events

/// Reads chosen attributes of frames as columns: the shapes of the rows, and of the streams of values only those of
/// the chosen attributes. The naive twin is ``AttributeReader``, which puts whole rows together again.
struct SelectedAttributes: Sendable {
  /// What a thread uses again from frame to frame.
  struct Buffers {
    fileprivate var types: [UInt8] = []
    /// For each row the code of its shape, or the type of its value.
    fileprivate var rows: [UInt32] = []
    fileprivate var literals = TextList()
    fileprivate var hidden: [Int] = []
    fileprivate var record = EventRecord()
    fileprivate var streams = SelectedStreams()
  }

  private struct Selected: Sendable {
    var role: AttributeRole
    /// The code of the attribute's name; nil when the log has none.
    var key: UInt32?
    var name: [UInt8]
  }

  private let log: LogReader
  private let names: LogNames
  private let shapes: ShapeTable
  private let selected: [Selected]
  private let roles: [AttributeRole]
  /// For values of data points: each type is its own pick.
  private static let dataPicks = (0...UInt32(UInt8.max)).map {
    ValueType(rawValue: UInt8($0)) == nil ? ShapeTable.absent : $0
  }

  /// The vocabularies that are needed.
  static func vocabularies(_ selections: [AttributeSelection]) -> Set<Vocabulary> {
    if selections.isEmpty { return [] }
    return selections.allSatisfy { $0 == .data } ? [.values] : [.values, .attributes, .shapes]
  }

  /// - Complexity: O(length of the log's shapes).
  init(_ log: LogReader, _ names: LogNames, _ selections: [AttributeSelection]) {
    self.log = log
    self.names = names
    selected = selections.map { selection in
      Selected(
        role: selection.role,
        key: selection.name.map { names.code(of: $0, in: .attributes) } ?? 0,
        name: Array((selection.name ?? "").utf8))
    }
    shapes = ShapeTable(log, names, selected.map { $0.role == .data ? nil : $0.key })
    let used = Set(selected.map(\.role))
    roles = AttributeRole.allCases.filter { used.contains($0) }
  }

  func makeBuffers() -> Buffers {
    var buffers = Buffers()
    buffers.streams = SelectedStreams(names)
    return buffers
  }

  /// Reads the attributes of a frame into the batch, and takes those events for lost that need a name that was
  /// erased or lost.
  ///
  /// - Throws: ``LogError`` when they cannot be read.
  func load(
    _ reader: FrameReader, into batch: inout EventBatch, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    own.hidden.removeAll(keepingCapacity: true)
    batch.makeAttributes(selected.count)
    for role in roles {
      try loadRows(reader, role, &own, &buffers)
      for index in selected.indices where selected[index].role == role {
        try loadColumn(index, reader, &batch.attributes[index], &own, &buffers)
      }
    }
    for row in own.hidden { batch.hide(row: row) }
  }

  // MARK: Rows

  /// Finds what the rows of a role are made of, before anything is believed of it.
  private func loadRows(
    _ reader: FrameReader, _ role: AttributeRole, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    own.literals.removeAll()
    guard let column = role.shapeColumn else {
      try reader.integers(.dataType, into: &own.types, &buffers)
      own.rows.resize(to: own.types.count)
      for row in own.types.indices { own.rows[row] = UInt32(own.types[row]) }
      return
    }
    try reader.codes(column, in: .shapes, into: &own.rows, &buffers)
    var marks: UInt8 = 0
    var total = 0
    for code in own.rows {
      marks |= shapes.marks[Int(code)]
      total &+= Int(shapes.valueCounts[Int(code)])
    }
    if marks & ShapeTable.unreadable != 0 { throw unreadable(own.rows, reader) }
    guard total <= AttributeReader.largestCount else {
      throw log.damage("more attributes than a frame may have", reader.frame)
    }
    if marks & ShapeTable.unnamed != 0 { try hideUnnamed(role, reader, &own) }
    if marks & ShapeTable.literal != 0 {
      own.literals = try CodedTexts.literals(reader, column, key: 0, own.rows)
    }
  }

  private func unreadable(_ rows: [UInt32], _ reader: FrameReader) -> LogError {
    let codes = rows.filter { shapes.marks[Int($0)] & ShapeTable.unreadable != 0 }
    let code = codes.min() ?? 0
    do throws(ColumnError) {
      _ = try shapes.fields(code)
      return log.damage("shape \(code) cannot be read", reader.frame)
    } catch {
      return log.damage("shape \(code): \(error.reason)", reader.frame)
    }
  }

  /// A name that is not there any more may have been the one that is asked for.
  private func hideUnnamed(
    _ role: AttributeRole, _ reader: FrameReader, _ own: inout Buffers
  ) throws(LogError) {
    for (row, code) in own.rows.enumerated()
    where shapes.marks[Int(code)] & ShapeTable.unnamed != 0 {
      guard let field = shapes.firstUnnamed(code) else { continue }
      let column = ColumnID.attribute(role, field.type)
      try log.passOver(log.unnamed(column, field.name, row: row, of: reader.frame))
      own.hidden.append(row)
    }
  }

  // MARK: Columns

  private func loadColumn(
    _ index: Int, _ reader: FrameReader, _ column: inout AttributeColumn, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    let selected = selected[index]
    let picks = selected.role == .data ? Self.dataPicks : shapes.picks[index]
    column.removeValues()
    column.codes.resize(to: own.rows.count)
    try own.streams.load(
      reader, selected.role, key: selected.key ?? 0, counts(own.rows, picks), &buffers)
    var nextLiteral = 0
    for row in own.rows.indices {
      let pick = picks[Int(own.rows[row])]
      var code: UInt32 = 0
      if pick == ShapeTable.absent {
      } else if pick < ShapeTable.inFrame {
        code = own.streams.next(pick, in: &column)
      } else if pick == ShapeTable.inFrame {
        code = try literal(nextLiteral, selected.name, row, reader, &column, &own)
        nextLiteral += 1
      } else {
        // As in an event, the first value of a name is the one that holds; the others are passed over.
        let codes = shapes.types(of: pick).map {
          own.streams.next(UInt32($0.rawValue), in: &column)
        }
        code = codes[0]
      }
      if code == ValueNumbers.lost {
        let name = ColumnID.attribute(selected.role, .text)
        let text = own.streams.lastText
        try log.passOver(log.unnamed(name, text, row: row, of: reader.frame))
        own.hidden.append(row)
        code = 0
      }
      column.codes[row] = code
    }
  }

  /// How many values the rows have in the stream of each type.
  private func counts(_ rows: [UInt32], _ picks: [UInt32]) -> [Int] {
    var byPick = [Int](repeating: 0, count: Int(ShapeTable.inFrame) + 1 + shapes.typeLists.count)
    for code in rows { byPick[Int(picks[Int(code)])] &+= 1 }
    var counts = Array(byPick[..<Int(ShapeTable.inFrame)])
    for (index, types) in shapes.typeLists.enumerated() {
      let rows = byPick[Int(ShapeTable.inFrame) + 1 + index]
      if rows > 0 { for type in types { counts[Int(type.rawValue)] += rows } }
    }
    return counts
  }

  /// The value of a row whose attributes stand in the frame themselves.
  private func literal(
    _ number: Int, _ name: [UInt8], _ row: Int, _ reader: FrameReader,
    _ column: inout AttributeColumn, _ own: inout Buffers
  ) throws(LogError) -> UInt32 {
    own.record.reset(kind: .decision, time: Timestamp(microseconds: 0))
    do throws(ColumnError) {
      let list = try AttributeLiteral.read(own.literals[number], into: &own.record)
      for attribute in list where own.record.bytes[attribute.name.range].elementsEqual(name) {
        return own.streams.number(of: attribute.value, own.record, in: &column)
      }
      return 0
    } catch {
      throw log.damage("row \(row): \(error.reason)", reader.frame)
    }
  }
}

extension AttributeRole {
  /// The column of the shapes of an object's attributes; nil where there are none.
  fileprivate var shapeColumn: ColumnID? {
    switch self {
    case .context: .context
    case .features: .features
    case .metadata: .metadata
    case .data: nil
    }
  }
}
