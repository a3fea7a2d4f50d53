internal import Events

/// Reads chosen attributes of frames as columns: the shapes of the rows, and of the streams of values only those of
/// the chosen attributes. The naive twin is ``AttributeReader``, which puts whole rows together again.
struct SelectedAttributes: Sendable {
  /// What a thread uses again from frame to frame.
  struct Buffers {
    /// For each row the code of its shape, or the type of its value.
    fileprivate var rows: [UInt32] = []
    /// By the code: how many rows have it. 0 for those that are not among ``met``.
    fileprivate var rowCounts: [Int] = []
    /// The codes that rows have.
    fileprivate var met: [UInt32] = []
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
    var buffers = Buffers(streams: SelectedStreams(names, limit: log.codeLimit(.values)))
    let limit = max(shapes.marks.count, Self.dataPicks.count)
    buffers.rowCounts = Array(repeating: 0, count: limit)
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
      try reader.integers(.dataType, into: &own.rows, &buffers)
      guard ColumnKernels.areBelow(UInt32(Self.dataPicks.count), own.rows) else {
        throw log.damage("a type of a value that does not fit its column", reader.frame)
      }
      own.countRows()
      return
    }
    try reader.codes(column, in: .shapes, into: &own.rows, &buffers)
    own.countRows()
    var marks: UInt8 = 0
    var total = 0
    for code in own.met {
      marks |= shapes.marks[Int(code)]
      total += Int(shapes.valueCounts[Int(code)]) * own.rowCounts[Int(code)]
    }
    if marks & ShapeTable.unreadable != 0 { throw unreadable(own.met, reader) }
    guard total <= AttributeReader.largestCount else {
      throw log.damage("more attributes than a frame may have", reader.frame)
    }
    if marks & ShapeTable.unnamed != 0 { try hideUnnamed(role, reader, &own) }
    if marks & ShapeTable.literal != 0 {
      own.literals = try CodedTexts.literals(reader, column, key: 0, own.rows)
    }
  }

  private func unreadable(_ met: [UInt32], _ reader: FrameReader) -> LogError {
    let codes = met.filter { shapes.marks[Int($0)] & ShapeTable.unreadable != 0 }
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
    let (counts, only) = counts(own, picks)
    column.removeValues()
    try own.streams.load(reader, selected.role, key: selected.key ?? 0, counts, &buffers)
    guard let only else {
      column.codes.refill(0, count: own.rows.count)
      return
    }
    if let type = ValueType(rawValue: UInt8(clamping: only)) {
      if own.streams.takeAll(type, in: &column) {
        Self.spread(own.streams.dense, to: own.rows, picks, into: &column.codes)
        return
      }
      column.removeValues()
      own.streams.begin()
    }
    try loadRowByRow(selected, picks, reader, &column, &own)
  }

  /// Gives the rows that have the attribute its values, one after the other.
  private static func spread(
    _ dense: [UInt32], to rows: [UInt32], _ picks: [UInt32], into codes: inout [UInt32]
  ) {
    codes.resize(to: rows.count)
    var codes = codes.mutableSpan
    let last = dense.count - 1
    var next = 0
    for row in rows.indices {
      // A branch on whether a row has the attribute would be guessed wrong too often: the first bit says so, as picks
      // of one type are small and that of none is 0.
      let isThere = (0 &- picks[Int(rows[row])]) &>> 31
      codes[row] = dense[min(next, last)] & (0 &- isThere)
      next &+= Int(isThere)
    }
  }

  /// The general way, for rows of several types, with attributes of their own, or without names.
  private func loadRowByRow(
    _ selected: Selected, _ picks: [UInt32], _ reader: FrameReader,
    _ column: inout AttributeColumn, _ own: inout Buffers
  ) throws(LogError) {
    // Taken out, so that numbers can be written while values are added.
    var taken = column.codes
    column.codes = []
    taken.resize(to: own.rows.count)
    defer { column.codes = taken }
    var codes = taken.mutableSpan
    var nextLiteral = 0
    for row in own.rows.indices {
      let pick = picks[Int(own.rows[row])]
      var (number, text): (UInt32, UInt32) = (0, 0)
      switch pick {
      case ShapeTable.absent: break
      case ShapeTable.inFrame:
        number = try literal(nextLiteral, selected.name, row, reader, &column, &own)
        nextLiteral += 1
      case ..<ShapeTable.inFrame: (number, text) = own.streams.next(pick, in: &column)
      default:
        // As in an event, the first value of a name is the one that holds; the others are passed over.
        for (place, type) in shapes.types(of: pick).enumerated() {
          let value = own.streams.next(UInt32(type.rawValue), in: &column)
          if place == 0 { (number, text) = value }
        }
      }
      if number == ValueNumbers.lost {
        let name = ColumnID.attribute(selected.role, .text)
        try log.passOver(log.unnamed(name, text, row: row, of: reader.frame))
        own.hidden.append(row)
        number = 0
      }
      codes[row] = number
    }
  }

  /// How many values the rows have in the stream of each type, and the only pick that rows with the attribute have:
  /// ``ShapeTable/inFrame`` when they have others, nil when there is no such row.
  private func counts(_ own: Buffers, _ picks: [UInt32]) -> (byType: [Int], only: UInt32?) {
    var counts = [Int](repeating: 0, count: Int(ShapeTable.inFrame))
    var only: UInt32?
    for code in own.met {
      let (pick, rows) = (picks[Int(code)], own.rowCounts[Int(code)])
      guard pick != ShapeTable.absent else { continue }
      if pick < ShapeTable.inFrame {
        counts[Int(pick)] += rows
      } else if pick > ShapeTable.inFrame {
        for type in shapes.types(of: pick) { counts[Int(type.rawValue)] += rows }
      }
      only = only == nil || only == pick ? pick : ShapeTable.inFrame
    }
    return (counts, only)
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

extension SelectedAttributes.Buffers {
  /// Finds the codes of the rows, and how many have each.
  fileprivate mutating func countRows() {
    for code in met { rowCounts[Int(code)] = 0 }
    met.removeAll(keepingCapacity: true)
    Self.count(rows, &rowCounts, &met)
  }

  private static func count(_ rows: [UInt32], _ counts: inout [Int], _ met: inout [UInt32]) {
    var counts = counts.mutableSpan
    for code in rows {
      if counts[Int(code)] == 0 { met.append(code) }
      counts[Int(code)] &+= 1
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
