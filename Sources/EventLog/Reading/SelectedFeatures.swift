internal import Events

/// Reads selected attributes of variants as columns: the shapes of the rows' features, and only the value streams of
/// the selected attributes. It is tested against ``AttributeReader``, which reassembles whole rows.
struct SelectedFeatures: Sendable {
  /// Buffers that a thread reuses from frame to frame.
  struct Buffers {
    fileprivate var rows = ShapeRows()
    fileprivate var hidden: [Int] = []
    fileprivate var record = EventRecord()
    fileprivate var streams = SelectedStreams()
  }

  private struct Selected: Sendable {
    /// The code of the attribute's name; nil if the log has none.
    var key: UInt32?
    var name: [UInt8]
  }

  private let log: LogReader
  private let names: LogNames
  private let table: FeatureTable
  private let selected: [Selected]

  /// Creates a reader of the attributes of these names.
  ///
  /// - Complexity: O(length of the log's shapes).
  init(_ log: LogReader, _ names: LogNames, _ attributes: [String]) {
    self.log = log
    self.names = names
    selected = attributes.map {
      Selected(key: names.code(of: $0, in: .attributes), name: Array($0.utf8))
    }
    table = FeatureTable(log, names, selected.map(\.key))
  }

  func makeBuffers() -> Buffers {
    Buffers(
      rows: ShapeRows(limit: table.shapes.marks.count),
      streams: SelectedStreams(names, limit: log.codeLimit(.values)))
  }

  /// Reads the attributes of a frame into the batch, and treats events as lost if they need an erased or lost name.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
  func load(
    _ reader: FrameReader, into batch: inout EventBatch, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    batch.makeFeatures(selected.count)
    own.hidden = try own.rows.load(reader, .features, .features, table.shapes, &buffers)
    for index in selected.indices {
      try loadColumn(index, reader, &batch.features[index], &own, &buffers)
    }
    for row in own.hidden { batch.hide(row: row) }
  }

  private func loadColumn(
    _ index: Int, _ reader: FrameReader, _ column: inout FeatureColumn, _ own: inout Buffers,
    _ buffers: inout ReadBuffers
  ) throws(LogError) {
    column.removeLists()
    try own.streams.load(
      reader, .features, key: selected[index].key ?? 0, counts(index, own.rows), &buffers)
    // Moved out, so that numbers can be written while lists are added.
    var taken = column.codes
    column.codes = []
    taken.resize(to: own.rows.codes.count)
    defer { column.codes = taken }
    var codes = taken.mutableSpan
    var nextLiteral = 0
    for row in own.rows.codes.indices {
      let code = own.rows.codes[row]
      guard code == Vocabulary.literalCode else {
        codes[row] = try list(index, code, row, reader, &column, &own)
        continue
      }
      codes[row] = try literal(index, nextLiteral, row, reader, &column, &own)
      nextLiteral += 1
    }
  }

  /// Returns the number of values in the stream of each type.
  private func counts(_ index: Int, _ rows: ShapeRows) -> [Int] {
    var counts = [Int](repeating: 0, count: Int(ShapeTable.inFrame))
    for code in rows.met {
      for part in table.parts(index, of: code) { counts[Int(part.type)] += rows.counts[Int(code)] }
    }
    return counts
  }

  /// Takes the values of a row, and returns the number of its list.
  private func list(
    _ index: Int, _ code: UInt32, _ row: Int, _ reader: FrameReader,
    _ column: inout FeatureColumn, _ own: inout Buffers
  ) throws(LogError) -> UInt32 {
    var lost: UInt32?
    for part in table.parts(index, of: code) {
      let (number, text) = own.streams.next(part.type, in: &column.values)
      guard part.isFirst else { continue }
      if number == ValueNumbers.lost { lost = lost ?? text }
      column.append(part.variant, number)
    }
    guard let lost else { return column.endList() }
    column.dropList()
    let name = ColumnID.attribute(.features, .text)
    try log.passOver(log.unnamed(name, lost, row: row, of: reader.frame))
    own.hidden.append(row)
    return 0
  }

  /// Returns the number of the list of a row whose features are stored in the frame themselves.
  private func literal(
    _ index: Int, _ number: Int, _ row: Int, _ reader: FrameReader,
    _ column: inout FeatureColumn, _ own: inout Buffers
  ) throws(LogError) -> UInt32 {
    own.record.reset(kind: .decision, time: Timestamp(microseconds: 0))
    // So that the next reset removes them.
    own.record.hasFeatures = true
    do throws(ColumnError) {
      try AttributeLiteral.readFeatures(own.rows.literals[number], into: &own.record)
    } catch {
      throw log.damage("row \(row): \(error.reason)", reader.frame)
    }
    var variants: Set<UInt32> = []
    var next = 0
    for group in own.record.featureGroups {
      let attributes = own.record.features[next..<next + group.count]
      next += group.count
      let name = own.record.bytes[group.variant.range]
      guard let variant = names.code(ofBytes: name, in: .variants),
        variants.insert(variant).inserted,
        let attribute = attributes.first(where: {
          own.record.bytes[$0.name.range].elementsEqual(selected[index].name)
        })
      else { continue }
      column.append(
        variant, own.streams.number(of: attribute.value, own.record, in: &column.values))
    }
    return column.endList()
  }
}
