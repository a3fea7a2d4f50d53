internal import Events

/// Copies the columns of a frame into another frame, with the same codes and positions. Rows whose event is removed
/// keep only their position.
struct FrameTransfer {
  private let reader: FrameReader
  /// For each row 0 if its event stays, else the kind that says why it was removed; nil if all stay.
  private let absent: [UInt8]?
  /// The shapes of rows, needed only if events are removed.
  private let names: LogNames

  /// Creates a transfer.
  ///
  /// - Parameters:
  ///   - reader: The frame.
  ///   - absent: For each row 0, or one of ``AbsentKind``; nil if every event stays.
  ///   - names: The names of shapes and attributes; they may be missing if every event stays.
  init(_ reader: FrameReader, absent: [UInt8]? = nil, names: LogNames) {
    self.reader = reader
    self.absent = absent.flatMap { $0.contains { $0 != 0 } ? $0 : nil }
    self.names = names
  }

  /// Appends the rows of the frame to the columns.
  ///
  /// - Throws: ``LogError`` if a column cannot be read.
  func append(to columns: inout FrameColumns) throws(LogError) {
    try appendIntegers(to: &columns)
    try appendNumbers(to: &columns)
    try appendTexts(to: &columns)
    try appendProbabilities(to: &columns)
    try appendLiterals(to: &columns)
    try appendAttributes(to: &columns)
    columns.count += reader.frame.rows
  }

  private func stays(_ row: Int) -> Bool { absent.map { $0[row] == 0 } ?? true }

  // MARK: A value for each row

  private static let integerColumns =
    [ColumnID.unit] + EventRecord.TextField.names.map(\.column)
    + [.status, .negative, .choices, .probabilityCount, .changed, .dataType, .context, .features, .metadata]

  private func appendIntegers(to columns: inout FrameColumns) throws(LogError) {
    let base = columns.count
    try appendKindsAndTimes(to: &columns)
    for column in Self.integerColumns {
      guard let entry = reader.frame.entry(column) else { continue }
      let values = try reader.integers(entry, count: reader.frame.rows, as: Int64.self)
      for row in values.indices where values[row] != 0 && stays(row) {
        columns.set(column, values[row], base + row)
        if column == .experiment { columns.experiments |= 1 << UInt64(values[row] & 63) }
      }
    }
  }

  /// Appends kinds and times. A row without an event has the time of the one before it, so that it takes no space.
  private func appendKindsAndTimes(to columns: inout FrameColumns) throws(LogError) {
    let base = columns.count
    let kinds = try reader.integers(.kind, as: UInt8.self)
    let times = try reader.integers(.time, as: Int64.self)
    let isAbsent = { (row: Int) in
      !stays(row) || AbsentKind.contains(kinds[row])
    }
    let before = columns.integers[Int(ColumnID.time.rawValue)].values.last
    var last = before ?? kinds.indices.first { !isAbsent($0) }.map { times[$0] } ?? 0
    for row in kinds.indices {
      let kind = absent.map { $0[row] == 0 ? kinds[row] : $0[row] } ?? kinds[row]
      if !isAbsent(row) {
        last = times[row]
        columns.earliest = min(columns.earliest, last)
        columns.latest = max(columns.latest, last)
      }
      columns.set(.kind, Int64(kind), base + row)
      columns.set(.time, last, base + row)
      columns.kinds |= kind < 64 ? 1 << UInt64(kind) : 0
    }
  }

  private func appendNumbers(to columns: inout FrameColumns) throws(LogError) {
    try append(.propensity, to: &columns, \.propensities)
    try append(.value, to: &columns, \.values)
    try append(.revenue, to: &columns, \.revenues)
  }

  private func append(
    _ column: ColumnID, to columns: inout FrameColumns,
    _ target: WritableKeyPath<FrameColumns, GappedNumbers>
  ) throws(LogError) {
    guard reader.frame.entry(column) != nil else { return }
    let numbers = try reader.numbers(column)
    for row in 0..<reader.frame.rows where stays(row) {
      columns[keyPath: target].set(numbers[row], row: columns.count + row)
    }
  }

  private func appendTexts(to columns: inout FrameColumns) throws(LogError) {
    try append(.id, to: &columns, \.ids)
    try append(.configuration, to: &columns, \.configurations)
    try append(.unknown, to: &columns, \.unknowns)
  }

  private func append(
    _ column: ColumnID, to columns: inout FrameColumns,
    _ target: WritableKeyPath<FrameColumns, GappedTexts>
  ) throws(LogError) {
    guard let (present, texts) = try reader.texts(column) else { return }
    var next = 0
    for row in 0..<reader.frame.rows where present[row] {
      if stays(row) {
        columns[keyPath: target].set(texts[next], row: columns.count + row)
        columns.looseBytes += texts[next].count
      }
      next += 1
    }
  }

  // MARK: Several values for a row, or none

  private func appendProbabilities(to columns: inout FrameColumns) throws(LogError) {
    guard let entry = reader.frame.entry(.probabilities) else { return }
    let counts = try reader.integers(.probabilityCount, as: Int64.self)
    var rest = Int64(entry.values)
    for count in counts where count > 0 { rest -= min(count - 1, rest) }
    guard rest == 0 else {
      throw reader.log.damage("\(rest) probabilities too many", entry, reader.frame)
    }
    let numbers = try reader.denseNumbers(entry, count: Int(entry.values))
    var next = 0
    for row in counts.indices where counts[row] > 0 {
      let count = counts[row] - 1
      guard count <= Int64(numbers.count - next) else {
        throw reader.log.damage("probabilities are missing", entry, reader.frame)
      }
      let end = next + Int(count)
      if stays(row) {
        columns.probabilities.append(contentsOf: numbers[next..<end])
        columns.looseBytes += 8 * (end - next)
      }
      next = end
    }
  }

  private func appendLiterals(to columns: inout FrameColumns) throws(LogError) {
    for column in [ColumnID.choices, .changed, .context, .features, .metadata] {
      guard let entry = reader.frame.entry(column.literals) else { continue }
      let codes = try reader.integers(column, as: UInt32.self)
      let rows = codes.indices.filter { codes[$0] == Vocabulary.literalCode }
      let texts = try reader.denseTexts(entry, count: rows.count)
      for (index, row) in rows.enumerated() where stays(row) {
        columns.appendLiteral(texts[index], column)
      }
    }
  }

  private func appendAttributes(to columns: inout FrameColumns) throws(LogError) {
    let staying = try stayingValues()
    let total = reader.frame.entries.reduce(0) {
      $0 + ($1.column.attributeType == nil ? 0 : Int($1.values))
    }
    guard total <= AttributeReader.largestCount else {
      throw reader.log.damage("more attributes than a frame may have", reader.frame)
    }
    for entry in reader.frame.entries {
      guard let type = entry.column.attributeType else { continue }
      let count = Int(entry.values)
      let stays = staying.map { $0[AttributeKey(entry)] ?? [] }
      guard stays == nil || stays?.count == count else {
        throw reader.log.damage("\(count) values where others belong", entry, reader.frame)
      }
      if type == .number {
        let numbers = try reader.denseNumbers(entry, count: count)
        columns.withAttribute(entry.column, key: entry.key) { target in
          for (index, number) in numbers.enumerated() where stays?[index] ?? true {
            target.numbers.append(number)
          }
        }
      } else {
        try append(entry, count, stays, to: &columns)
      }
      columns.looseBytes += 8 * count
    }
  }

  private func append(
    _ entry: ColumnEntry, _ count: Int, _ stays: [Bool]?, to columns: inout FrameColumns
  ) throws(LogError) {
    let integers = try reader.integers(entry, count: count, as: Int64.self)
    var literals = TextList()
    if entry.column.attributeType == .text,
      let texts = reader.frame.entry(entry.column.literals, key: entry.key)
    {
      let literal = Int64(Vocabulary.literalCode)
      literals = try reader.denseTexts(
        texts, count: integers.reduce(into: 0) { $0 += $1 == literal ? 1 : 0 })
    }
    var nextLiteral = 0
    columns.withAttribute(entry.column, key: entry.key) { target in
      for (index, integer) in integers.enumerated() {
        let isStaying = stays?[index] ?? true
        if isStaying { target.integers.append(integer) }
        guard literals.count > 0, integer == Int64(Vocabulary.literalCode) else { continue }
        if isStaying { target.literals.append(literals[nextLiteral]) }
        nextLiteral += 1
      }
    }
    columns.looseBytes += literals.bytes.count
  }
}

// MARK: Values of attributes whose rows stay

extension FrameTransfer {
  private struct AttributeKey: Hashable {
    var column: ColumnID
    var key: UInt32

    init(_ column: ColumnID, _ key: UInt32) { (self.column, self.key) = (column, key) }
    init(_ entry: ColumnEntry) { self.init(entry.column, entry.key) }
  }

  /// Returns for each value of each attribute whether its row stays; nil if all do.
  private func stayingValues() throws(LogError) -> [AttributeKey: [Bool]]? {
    guard absent != nil else { return nil }
    var staying: [AttributeKey: [Bool]] = [:]
    let roles: [(ColumnID, AttributeRole)] = [
      (.context, .context), (.metadata, .metadata), (.features, .features),
    ]
    for (column, role) in roles {
      let codes = try reader.integers(column, as: UInt32.self)
      var shapes: [UInt32: [AttributeKey]] = [:]
      for row in codes.indices where codes[row] > Vocabulary.literalCode {
        if shapes[codes[row]] == nil {
          shapes[codes[row]] = try keys(ofShape: codes[row], role)
        }
        for key in shapes[codes[row]] ?? [] { staying[key, default: []].append(stays(row)) }
      }
    }
    let types = try reader.integers(.dataType, as: UInt8.self)
    for row in types.indices {
      guard let type = ValueType(rawValue: types[row]) else { continue }
      staying[AttributeKey(.attribute(.data, type), 0), default: []].append(stays(row))
    }
    return staying
  }

  private func keys(
    ofShape code: UInt32, _ role: AttributeRole
  ) throws(LogError) -> [AttributeKey] {
    do throws(ColumnError) {
      // If damage is skipped, names may be lost that no frame left room for.
      let isWhole = reader.log.policy == .strict
      let shape = try AttributeShape(
        names.bytes(code, in: .shapes) ?? [], role: role,
        attributeLimit: isWhole ? reader.log.codeLimit(.attributes) : .max,
        variantLimit: isWhole ? reader.log.codeLimit(.variants) : .max)
      return shape.groups.flatMap { group in
        group.fields.map { AttributeKey(.attribute(role, $0.type), $0.name) }
      }
    } catch {
      throw reader.log.damage("shape \(code): \(error.reason)", reader.frame)
    }
  }
}

extension ColumnID {
  /// The type of the values in a column of attributes; nil for another column.
  var attributeType: ValueType? {
    (32..<48).contains(rawValue) ? ValueType(rawValue: UInt8((rawValue - 32) % 4 + 1)) : nil
  }
}
