internal import Arrow
internal import EventLog
internal import Events

/// The batch of a frame, built column by column from those of the log. Only attributes are read row by row.
///
/// The columns are the same, byte for byte, as those of ``ArrowRows``, with which the tests compare them.
struct ArrowFrameColumns {
  private let plan: ArrowColumns
  private let dictionaries: ArrowNames
  private let names: LogNames
  /// The rows of the exported kinds.
  private let rows: [Int32]
  private var frame: FrameEvents

  /// Selects the rows of a frame.
  init(
    _ frame: FrameEvents, _ plan: ArrowColumns, _ dictionaries: ArrowNames, _ names: LogNames
  ) {
    (self.plan, self.dictionaries, self.names, self.frame) = (plan, dictionaries, names, frame)
    let wanted = (0...255).map { kind in
      EventKind(rawValue: UInt8(kind)).map { plan.kinds.contains($0) } ?? false
    }
    var rows: [Int32] = []
    rows.reserveCapacity(frame.batch.count)
    for (row, kind) in frame.batch.kinds.enumerated() where wanted[Int(kind)] {
      rows.append(Int32(row))
    }
    self.rows = rows
  }

  /// The number of rows.
  var count: Int { rows.count }

  /// The most bytes of the texts of a column; of more, rows make several batches.
  private static let mostBytes = 1 << 28

  /// Returns the columns; nil if a name is missing, which only whole rows report, or if there are very long texts.
  ///
  /// - Throws: `LogError` if a name or an attribute cannot be read.
  mutating func columns() throws(LogError) -> [ArrowArray]? {
    let attributes = plan.context.map { AttributeRowColumn($0) { $0.context } }
      + plan.metadata.map { AttributeRowColumn($0) { $0.metadata } }
    let others = plan.fixed.filter { Self.isOfAttributes($0) }.map {
      (column: $0, values: ArrowRows.make($0, plan.attributes, dictionaries))
    }
    guard try readAttributes(attributes + others.map(\.values)),
      let units = try units(), let ids = ids()
    else { return nil }
    var isComplete = true
    let columns = plan.ordered(attributes.map { $0.take() }) { column in
      if let other = others.first(where: { $0.column == column }) { return other.values.take() }
      if column == .unit { return units }
      if column == .id { return ids }
      let array = self.column(column)
      isComplete = isComplete && array != nil
      return array ?? ArrowArray(nulls: 0)
    }
    return isComplete ? columns : nil
  }

  /// Whether a column shows attributes or values of data points.
  private static func isOfAttributes(_ column: ArrowEventColumn) -> Bool {
    [.value, .valueText, .valueFlag, .features].contains(column)
  }

  /// Reads attributes row by row.
  ///
  /// - Returns: Whether all names are there.
  private mutating func readAttributes(
    _ columns: [any ArrowRowColumn]
  ) throws(LogError) -> Bool {
    guard !columns.isEmpty else { return true }
    let empty = EventRecord()
    var record = empty
    var (row, next, byteCount) = (0, 0, 0)
    while next < rows.count {
      guard byteCount <= Self.mostBytes else { return false }
      // Those of rows that are left out are passed over.
      guard try frame.attributes(row, into: &record) else { return false }
      if Int32(row) == rows[next] {
        record.value = frame.batch.values[row]
        for column in columns { column.append(record) }
        next += 1
      }
      if record.hasContext || record.hasMetadata || record.hasFeatures || record.dataValue != nil {
        byteCount += record.bytes.count
        record.reset(kind: .decision, time: record.time)
      }
      row += 1
    }
    return true
  }

  // MARK: Texts

  /// Returns the units; nil if one has no name.
  private func units() throws(LogError) -> ArrowArray? {
    var texts = TextBuilder()
    // Most units have several events near each other, so that few names are looked up.
    var recent = [UInt32](repeating: 0, count: 1 << 10)
    var places = [Range<Int>](repeating: 0..<0, count: recent.count)
    for row in rows {
      let code = frame.batch.units[Int(row)]
      let slot = Int(code) & (recent.count - 1)
      if recent[slot] == code, code != 0 {
        texts.append(again: places[slot])
        continue
      }
      let start = texts.byteCount
      guard code != 0, start <= Self.mostBytes, let name = try names.unit(code) else { return nil }
      texts.append(name)
      recent[slot] = code
      places[slot] = start..<texts.byteCount
    }
    return texts.take()
  }

  /// Returns the ids; nil if they are very long.
  private mutating func ids() -> ArrowArray? {
    guard plan.fixed.contains(.id), frame.ids != nil else { return TextBuilder.nulls(rows.count) }
    var texts = TextBuilder()
    var next = 0
    for row in 0..<frame.batch.count where next < rows.count {
      let text = frame.ids?.text(row)
      if Int32(row) == rows[next] {
        texts.append(text)
        next += 1
      }
    }
    return texts.byteCount <= Self.mostBytes ? texts.take() : nil
  }

  // MARK: Numbers and codes

  /// Returns a column that has a value for each row; nil if a name is missing.
  private func column(_ column: ArrowEventColumn) -> ArrowArray? {
    let batch = frame.batch
    switch column {
    case .type: return values { Int32(batch.kinds[$0]) - 1 }
    case .time: return values { batch.times[$0] }
    case .status:
      let valid = ArrowBitmap(count: count) { batch.statuses[Int(rows[$0])] != 0 }
      return values(valid) { max(0, Int32(batch.statuses[$0]) - 1) }
    case .propensity: return numbers(batch.propensities)
    case .revenue: return numbers(batch.revenues)
    case .negative:
      let valid = ArrowBitmap(count: count) { batch.negatives[Int(rows[$0])] != 0 }
      return ArrowArray(
        ArrowBitmap(count: count) { batch.negatives[Int(rows[$0])] == 2 }, valid: valid)
    case .choices: return choices(batch)
    case .probabilities: return probabilities(batch)
    case .configuration, .json: return TextBuilder.nulls(count)
    case .changed:
      return ArrowArray(
        ends: [Int32](repeating: 0, count: count + 1), elements: TextBuilder.nulls(0),
        valid: ArrowBitmap(repeating: false, count: count))
    default: return codes(column, batch)
    }
  }

  private func values<Value: BitwiseCopyable>(
    _ valid: ArrowBitmap? = nil, _ value: (Int) -> Value
  ) -> ArrowArray {
    ArrowArray(rows.map { value(Int($0)) }, valid: valid)
  }

  private func numbers(_ column: NumberColumn) -> ArrowArray {
    let all = column.numbers()
    let valid = ArrowBitmap(count: count) { column.present[Int(rows[$0])] }
    return values(valid) { all[$0] }
  }

  private func codes(_ column: ArrowEventColumn, _ batch: EventBatch) -> ArrowArray? {
    let codes: [UInt32] =
      switch column {
      case .experiment: batch.experiments
      case .point: batch.points
      case .slot: batch.slots
      case .variant: batch.variants
      case .policy: batch.policies
      case .reason: batch.reasons
      case .goal: batch.goals
      case .kind: batch.dataKinds
      case .key: batch.keys
      case .system: frame.systems
      default: frame.instances
      }
    guard let vocabulary = column.vocabulary,
      let indices = dictionaries.indices[vocabulary.rawValue]
    else { return nil }
    var isComplete = true
    let valid = ArrowBitmap(count: count) { codes[Int(rows[$0])] != 0 }
    let array = values(valid) { row in
      let code = codes[row]
      guard code != 0 else { return Int32(0) }
      let index = indices[Int(code)]
      isComplete = isComplete && index >= 0
      return index
    }
    return isComplete ? array : nil
  }

  private func choices(_ batch: EventBatch) -> ArrowArray? {
    guard let indices = dictionaries.indices[Vocabulary.variants.rawValue] else { return nil }
    var isComplete = true
    let lists = (0...UInt32(batch.choices.listCount)).map { list in
      batch.choices.variants(of: list).map { variant -> Int32 in
        let index = indices[Int(variant)]
        isComplete = isComplete && index >= 0
        return index
      }
    }
    guard isComplete else { return nil }
    var ends: [Int32] = [0]
    ends.reserveCapacity(count + 1)
    var items: [Int32] = []
    for row in rows {
      items.append(contentsOf: lists[Int(batch.choices.codes[Int(row)])])
      ends.append(Int32(truncatingIfNeeded: items.count))
    }
    let valid = ArrowBitmap(count: count) { batch.choices.codes[Int(rows[$0])] != 0 }
    return ArrowArray(ends: ends, elements: ArrowArray(items), valid: valid)
  }

  private func probabilities(_ batch: EventBatch) -> ArrowArray {
    var ends: [Int32] = [0]
    ends.reserveCapacity(count + 1)
    var numbers: [Double] = []
    let starts = batch.probabilities.starts
    for row in rows {
      let (start, end) = (Int(starts[Int(row)]), Int(starts[Int(row) + 1]))
      if end > start { numbers.append(contentsOf: batch.probabilities.dense[start..<end]) }
      ends.append(Int32(truncatingIfNeeded: numbers.count))
    }
    let valid = ArrowBitmap(count: count) { batch.probabilities.hasNumbers(Int(rows[$0])) }
    return ArrowArray(ends: ends, elements: ArrowArray(numbers), valid: valid)
  }
}
