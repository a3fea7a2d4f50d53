internal import Events

/// The rows of a shard that are not in a frame yet, and the names of the shard.
struct ShardColumns {
  private(set) var columns = FrameColumns()
  var names = ShardNames()

  /// The number of rows.
  var count: Int { columns.count }

  /// The approximate size in memory, in bytes.
  var byteCount: Int {
    columns.integers.reduce(0) { $0 + 8 * $1.values.count } + columns.looseBytes
      + 16 * (columns.propensities.rows.count + columns.values.rows.count)
      + 16 * (columns.revenues.rows.count + columns.ids.rows.count)
  }

  /// Returns whether so many rows fit into the frame.
  func hasRoom(for rows: Int) -> Bool {
    count == 0
      || count + rows <= FrameHeader.maximumRows && columns.attributes.count < 8_192
        && columns.looseBytes + names.unpublishedBytes < 16 << 20
  }

  /// Pads the columns to the last row.
  mutating func finish() { columns.finish() }

  /// Removes all rows, with their memory.
  mutating func removeAll() { columns = FrameColumns() }

  // MARK: Rows

  /// Appends rows of a frame, all but their attributes.
  ///
  /// - Parameters:
  ///   - rows: The rows, ascending.
  ///   - frame: The frame.
  ///   - units: By code in the log that is split, the code of a unit in its shard.
  ///   - sourceNames: The names of the log that is split.
  /// - Throws: ``ColumnError`` if a code has no name.
  mutating func append(
    _ rows: ArraySlice<UInt32>, of frame: CopiedFrame, units: [UInt32], _ sourceNames: LogNames
  ) throws(ColumnError) {
    let base = columns.count
    appendTimes(rows, of: frame)
    appendUnits(rows, of: frame, units)
    for codes in frame.codes { try append(codes, rows, base, sourceNames) }
    for flags in frame.flags { append(flags, rows, base) }
    Self.append(frame.propensities, rows, base, to: &columns.propensities)
    Self.append(frame.values, rows, base, to: &columns.values)
    Self.append(frame.revenues, rows, base, to: &columns.revenues)
    columns.looseBytes += Self.append(frame.ids, rows, base, to: &columns.ids)
    columns.looseBytes += Self.append(
      frame.configurations, rows, base, to: &columns.configurations)
    columns.looseBytes += Self.append(frame.unknowns, rows, base, to: &columns.unknowns)
    appendProbabilities(rows, of: frame, base)
    columns.count += rows.count
  }

  /// Calls the closure with an integer column, moved out of the columns meanwhile.
  @inline(__always)
  private mutating func withIntegers(
    _ column: ColumnID, _ body: (inout IntegerColumn) -> Void
  ) {
    var integers = IntegerColumn()
    swap(&integers, &columns.integers[Int(column.rawValue)])
    body(&integers)
    swap(&integers, &columns.integers[Int(column.rawValue)])
  }

  private mutating func appendTimes(_ rows: ArraySlice<UInt32>, of frame: CopiedFrame) {
    let base = columns.count
    var (earliest, latest) = (columns.earliest, columns.latest)
    withIntegers(.time) { times in
      var place = base
      for row in rows {
        let time = frame.times[Int(row)]
        if !AbsentKind.contains(frame.kinds[Int(row)]) {
          earliest = min(earliest, time)
          latest = max(latest, time)
        }
        times.set(time, row: place)
        place += 1
      }
    }
    (columns.earliest, columns.latest) = (earliest, latest)
    var all = columns.kinds
    withIntegers(.kind) { kinds in
      var place = base
      for row in rows {
        let kind = frame.kinds[Int(row)]
        all |= 1 << UInt64(kind)
        kinds.set(Int64(kind), row: place)
        place += 1
      }
    }
    columns.kinds = all
  }

  private mutating func appendUnits(
    _ rows: ArraySlice<UInt32>, of frame: CopiedFrame, _ units: [UInt32]
  ) {
    let (base, everyone) = (columns.count, names.everyone)
    withIntegers(.unit) { codes in
      var place = base
      for row in rows {
        let code = frame.units[Int(row)]
        // The unit of everyone has no code among those of one shard.
        if code != 0 {
          let own = units[Int(code)]
          codes.set(Int64(own == 0 ? everyone : own), row: place)
        }
        place += 1
      }
    }
  }

  private mutating func append(
    _ codes: CopiedFrame.Codes, _ rows: ArraySlice<UInt32>, _ base: Int, _ sourceNames: LogNames
  ) throws(ColumnError) {
    var integers = IntegerColumn()
    swap(&integers, &columns.integers[Int(codes.column.rawValue)])
    var place = base
    var last: (code: UInt32, own: UInt32) = (0, 0)
    for row in rows {
      let code = codes.codes[Int(row)]
      if code != 0 {
        if code != last.code {
          last = (code, try own(code, codes, Int(row), sourceNames))
        } else if code == Vocabulary.literalCode, codes.literals != nil {
          _ = try own(code, codes, Int(row), sourceNames)
        }
        integers.set(Int64(last.own), row: place)
      }
      place += 1
    }
    swap(&integers, &columns.integers[Int(codes.column.rawValue)])
  }

  /// Returns the code of a row in the shard; the text of a literal is appended.
  @inline(__always)
  private mutating func own(
    _ code: UInt32, _ codes: CopiedFrame.Codes, _ row: Int, _ sourceNames: LogNames
  ) throws(ColumnError) -> UInt32 {
    if codes.kind.hasLiterals, code == Vocabulary.literalCode {
      try appendLiteral(codes, row, sourceNames)
      return code
    }
    let own = try names.code(of: code, codes.kind, sourceNames)
    if codes.column == .experiment { columns.experiments |= 1 << UInt64(own % 64) }
    return own
  }

  private mutating func appendLiteral(
    _ codes: CopiedFrame.Codes, _ row: Int, _ sourceNames: LogNames
  ) throws(ColumnError) {
    guard let text = codes.literals?[row] else { throw ColumnError("a text is missing") }
    switch codes.kind {
    case .choices:
      columns.appendLiteral(try names.list(text, .variants, sourceNames), codes.column)
    case .changed:
      columns.appendLiteral(try names.list(text, .keys, sourceNames), codes.column)
    // Attributes are stored with their names.
    default: columns.appendLiteral(text, codes.column)
    }
  }

  private mutating func append(
    _ flags: CopiedFrame.Flags, _ rows: ArraySlice<UInt32>, _ base: Int
  ) {
    withIntegers(flags.column) { integers in
      var place = base
      for row in rows {
        let value = flags.values[Int(row)]
        if value != 0 { integers.set(Int64(value), row: place) }
        place += 1
      }
    }
  }

  private static func append(
    _ numbers: NumberColumn?, _ rows: ArraySlice<UInt32>, _ base: Int,
    to target: inout GappedNumbers
  ) {
    guard let numbers else { return }
    var place = base
    for row in rows {
      target.set(numbers[Int(row)], row: place)
      place += 1
    }
  }

  /// Appends texts.
  ///
  /// - Returns: Their size in bytes.
  private static func append(
    _ texts: OptionalTexts?, _ rows: ArraySlice<UInt32>, _ base: Int, to target: inout GappedTexts
  ) -> Int {
    guard let texts else { return 0 }
    var (place, bytes) = (base, 0)
    for row in rows {
      if let text = texts[Int(row)] {
        target.set(text, row: place)
        bytes += text.count
      }
      place += 1
    }
    return bytes
  }

  private mutating func appendProbabilities(
    _ rows: ArraySlice<UInt32>, of frame: CopiedFrame, _ base: Int
  ) {
    guard let probabilities = frame.probabilities else { return }
    var place = base
    for row in rows {
      if let own = probabilities[Int(row)] {
        columns.set(.probabilityCount, Int64(own.count + 1), place)
        columns.probabilities.append(contentsOf: own)
        columns.looseBytes += 8 * own.count
      }
      place += 1
    }
  }

  // MARK: Attributes

  /// Appends a value of an attribute, in the order of the rows.
  ///
  /// - Parameters:
  ///   - index: The index of the value.
  ///   - values: The values of the attribute.
  ///   - literal: The index of its text, if it is a literal.
  ///   - sourceNames: The names of the log that is split.
  /// - Throws: ``ColumnError`` if a code has no name.
  mutating func append(
    _ index: Int, of values: CopiedAttributes.Values, literal: Int, _ sourceNames: LogNames
  ) throws(ColumnError) {
    let key =
      values.key == 0 ? 0 : try names.code(of: values.key, .attributes, sourceNames)
    columns.looseBytes += 8
    switch values.type {
    case .number:
      columns.withAttribute(values.column, key: key) { $0.numbers.append(values.numbers[index]) }
    case .integer, .flag:
      columns.withAttribute(values.column, key: key) { $0.integers.append(values.integers[index]) }
    case .text:
      let code = UInt32(truncatingIfNeeded: values.integers[index])
      guard code == Vocabulary.literalCode else {
        let own = try names.code(of: code, .values, sourceNames)
        columns.withAttribute(values.column, key: key) { $0.integers.append(Int64(own)) }
        return
      }
      let text = values.literals[literal]
      columns.withAttribute(values.column, key: key) {
        $0.integers.append(Int64(code))
        $0.literals.append(text)
      }
      columns.looseBytes += text.count
    }
  }
}
