internal import Events

/// Reads selected attributes of frames as columns: the shapes of the rows, and only the value streams of the selected
/// attributes. It is tested against ``AttributeReader``, which reassembles whole rows. Features are read by
/// ``SelectedFeatures``.
struct SelectedAttributes: Sendable {
  /// Buffers that a thread reuses from frame to frame.
  struct Buffers {
    fileprivate var rows = ShapeRows()
    fileprivate var hidden: [Int] = []
    fileprivate var record = EventRecord()
    fileprivate var streams = SelectedStreams()
  }

  private struct Selected: Sendable {
    var role: AttributeRole
    /// The code of the attribute's name; nil if the log has none.
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

  /// Creates a reader of the selected attributes.
  ///
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
    let limit = max(shapes.shapes.marks.count, Self.dataPicks.count)
    return Buffers(
      rows: ShapeRows(limit: limit),
      streams: SelectedStreams(names, limit: log.codeLimit(.values)))
  }

  /// Reads the attributes of a frame into the batch, and treats events as lost if they need an erased or lost name.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
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

  /// Reads and validates the shapes of the rows of a role.
  private func loadRows(
    _ reader: FrameReader, _ role: AttributeRole, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    guard let column = role.shapeColumn else {
      own.rows.literals.removeAll()
      try reader.integers(.dataType, into: &own.rows.codes, &buffers)
      guard ColumnKernels.areBelow(UInt32(Self.dataPicks.count), own.rows.codes) else {
        throw log.damage("a type of a value that does not fit its column", reader.frame)
      }
      own.rows.count()
      return
    }
    own.hidden += try own.rows.load(reader, column, role, shapes.shapes, &buffers)
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
      column.codes.refill(0, count: own.rows.codes.count)
      return
    }
    if let type = ValueType(rawValue: UInt8(clamping: only)) {
      if own.streams.takeAll(type, in: &column) {
        Self.spread(own.streams.dense, to: own.rows.codes, picks, into: &column.codes)
        return
      }
      column.removeValues()
      own.streams.begin()
    }
    try loadRowByRow(selected, picks, reader, &column, &own)
  }

  /// Assigns the values to the rows that have the attribute, in order.
  private static func spread(
    _ dense: [UInt32], to rows: [UInt32], _ picks: [UInt32], into codes: inout [UInt32]
  ) {
    codes.resize(to: rows.count)
    var codes = codes.mutableSpan
    let last = dense.count - 1
    var next = 0
    for row in rows.indices {
      // A branch on whether a row has the attribute would be mispredicted too often: the first bit tells, since picks
      // of one type are small and that of none is 0.
      let isThere = (0 &- picks[Int(rows[row])]) &>> 31
      codes[row] = dense[min(next, last)] & (0 &- isThere)
      next &+= Int(isThere)
    }
  }

  /// The general case: rows of several types, with their own attributes, or without names.
  private func loadRowByRow(
    _ selected: Selected, _ picks: [UInt32], _ reader: FrameReader,
    _ column: inout AttributeColumn, _ own: inout Buffers
  ) throws(LogError) {
    // Moved out, so that numbers can be written while values are added.
    var taken = column.codes
    column.codes = []
    taken.resize(to: own.rows.codes.count)
    defer { column.codes = taken }
    var codes = taken.mutableSpan
    var nextLiteral = 0
    for row in own.rows.codes.indices {
      let pick = picks[Int(own.rows.codes[row])]
      var (number, text): (UInt32, UInt32) = (0, 0)
      switch pick {
      case ShapeTable.absent: break
      case ShapeTable.inFrame:
        number = try literal(nextLiteral, selected.name, row, reader, &column, &own)
        nextLiteral += 1
      case ..<ShapeTable.inFrame: (number, text) = own.streams.next(pick, in: &column)
      default:
        // As in an event, the first value of a name counts; later ones are skipped.
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

  /// Returns the number of values in the stream of each type, and the only pick of the rows with the attribute:
  /// ``ShapeTable/inFrame`` if they have others, nil if there is no such row.
  private func counts(_ own: Buffers, _ picks: [UInt32]) -> (byType: [Int], only: UInt32?) {
    var counts = [Int](repeating: 0, count: Int(ShapeTable.inFrame))
    var only: UInt32?
    for code in own.rows.met {
      let (pick, rows) = (picks[Int(code)], own.rows.counts[Int(code)])
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

  /// Returns the value of a row whose attributes are stored in the frame themselves.
  private func literal(
    _ number: Int, _ name: [UInt8], _ row: Int, _ reader: FrameReader,
    _ column: inout AttributeColumn, _ own: inout Buffers
  ) throws(LogError) -> UInt32 {
    own.record.reset(kind: .decision, time: Timestamp(microseconds: 0))
    do throws(ColumnError) {
      let list = try AttributeLiteral.read(own.rows.literals[number], into: &own.record)
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
  /// The column of the shapes of an object's attributes; nil if there is none.
  fileprivate var shapeColumn: ColumnID? {
    switch self {
    case .context: .context
    case .features: .features
    case .metadata: .metadata
    case .data: nil
    }
  }
}
