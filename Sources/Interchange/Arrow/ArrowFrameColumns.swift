internal import Arrow
internal import EventLog
internal import Events

/// The batch of a frame, built column by column from those of the log. Only features are read row by row.
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
  /// - Throws: `LogError` if a name or a feature cannot be read.
  mutating func columns() throws(LogError) -> [ArrowArray]? {
    guard let units = try units(), let ids = ids(), let features = try features() else {
      return nil
    }
    let selected = zip(plan.context + plan.metadata, frame.batch.attributes).map {
      AttributeValues($1, as: $0.type).column(rows)
    }
    var isComplete = true
    let columns = plan.ordered(selected) { column in
      switch column {
      case .unit: return units
      case .id: return ids
      case .features: return features
      default:
        let array = self.column(column)
        isComplete = isComplete && array != nil
        return array ?? ArrowArray(nulls: 0)
      }
    }
    return isComplete ? columns : nil
  }

  /// Reads the features row by row; nil if a name is missing.
  private mutating func features() throws(LogError) -> ArrowArray? {
    guard plan.fixed.contains(.features) else { return ArrowArray(nulls: 0) }
    let column = FeatureMaps(plan.attributes.features)
    var record = EventRecord()
    var (next, byteCount) = (0, 0)
    for row in 0..<(frame.hasFeatures ? frame.batch.count : 0) {
      let isWanted = next < rows.count && rows[next] == Int32(row)
      if frame.hasFeatures(row) {
        guard try frame.features(row, into: &record), byteCount <= Self.mostBytes else {
          return nil
        }
        if isWanted { column.append(record) }
        byteCount += record.bytes.count
        record.reset(kind: .decision, time: record.time)
      } else if isWanted {
        column.appendNull()
      }
      next += isWanted ? 1 : 0
    }
    for _ in next..<rows.count { column.appendNull() }
    return column.take()
  }

  /// The values of data points; nil if none are exported.
  private var data: AttributeColumn? {
    plan.kinds.contains(.dataPoint) ? frame.batch.attributes.last : nil
  }

  // MARK: Texts

  /// Returns the units; nil if one has no name.
  private func units() throws(LogError) -> ArrowArray? {
    var texts = TextBuilder()
    // Most units have several events near each other, so that few names are looked up.
    let (units, rows) = (frame.batch.units, rows)
    var recent = [UInt32](repeating: 0, count: 1 << 10)
    var places = [Range<Int>](repeating: 0..<0, count: recent.count)
    for row in rows {
      let code = units[Int(row)]
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
    let (batch, rows) = (frame.batch, rows)
    switch column {
    case .type:
      let kinds = batch.kinds
      return ArrowArray(count: count) { Int32(kinds[Int(rows[$0])]) - 1 }
    case .time:
      let times = batch.times
      return ArrowArray(count: count) { times[Int(rows[$0])] }
    case .status:
      let statuses = batch.statuses
      let valid = ArrowBitmap(count: count) { statuses[Int(rows[$0])] != 0 }
      return ArrowArray(count: count, valid: valid) { max(0, Int32(statuses[Int(rows[$0])]) - 1) }
    case .propensity: return numbers(batch.propensities)
    case .value: return values(batch.values)
    case .valueText: return data.map { AttributeValues($0, as: .text, only: true).column(rows) }
    case .valueFlag: return data.map { AttributeValues($0, as: .flag).column(rows) }
    case .revenue: return numbers(batch.revenues)
    case .negative:
      let negatives = batch.negatives
      let valid = ArrowBitmap(count: count) { negatives[Int(rows[$0])] != 0 }
      return ArrowArray(ArrowBitmap(count: count) { negatives[Int(rows[$0])] == 2 }, valid: valid)
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

  private func numbers(_ column: NumberColumn) -> ArrowArray {
    let (all, present, rows) = (column.numbers(), column.present, rows)
    let valid = ArrowBitmap(count: count) { present[Int(rows[$0])] }
    return ArrowArray(count: count, valid: valid) { all[Int(rows[$0])] }
  }

  /// The values of goals, and those of data points that are numbers.
  private func values(_ column: NumberColumn) -> ArrowArray {
    guard let data else { return numbers(column) }
    let (all, present, rows) = (column.numbers(), column.present, rows)
    let (numbers, codes) = (AttributeValues(data, as: .number).numbers, data.codes)
    let valid = ArrowBitmap(count: count) { index in
      let row = Int(rows[index])
      return present[row] || numbers[Int(codes[row])] != nil
    }
    return ArrowArray(count: count, valid: valid) { index in
      let row = Int(rows[index])
      return present[row] ? all[row] : numbers[Int(codes[row])] ?? 0
    }
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
    var lowest: Int32 = 0
    let rows = rows
    let valid = ArrowBitmap(count: count) { codes[Int(rows[$0])] != 0 }
    let array = ArrowArray(count: count, valid: valid) { index -> Int32 in
      let code = codes[Int(rows[index])]
      let index = code == 0 ? 0 : indices[Int(code)]
      lowest = min(lowest, index)
      return index
    }
    return lowest < 0 ? nil : array
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
    let (codes, rows) = (batch.choices.codes, rows)
    items.reserveCapacity(count * 4)
    for row in rows {
      for item in lists[Int(codes[Int(row)])] { items.append(item) }
      ends.append(Int32(truncatingIfNeeded: items.count))
    }
    let valid = ArrowBitmap(count: count) { codes[Int(rows[$0])] != 0 }
    return ArrowArray(ends: ends, elements: ArrowArray(items), valid: valid)
  }

  private func probabilities(_ batch: EventBatch) -> ArrowArray {
    var ends: [Int32] = [0]
    ends.reserveCapacity(count + 1)
    var numbers: [Double] = []
    let (starts, dense) = (batch.probabilities.starts, batch.probabilities.dense)
    numbers.reserveCapacity(dense.count)
    for row in rows {
      for index in starts[Int(row)]..<starts[Int(row) + 1] { numbers.append(dense[Int(index)]) }
      ends.append(Int32(truncatingIfNeeded: numbers.count))
    }
    let valid = ArrowBitmap(count: count) { batch.probabilities.hasNumbers(Int(rows[$0])) }
    return ArrowArray(ends: ends, elements: ArrowArray(numbers), valid: valid)
  }
}
