/// Consecutive frames combined into one: the rows and the names of a larger frame.
struct MergedFrame {
  private(set) var columns = FrameColumns()
  private var byVocabulary: [Vocabulary: FrameWriter.Names] = [:]

  /// The names in the order of their vocabularies.
  var names: [FrameWriter.Names] {
    byVocabulary.values.sorted { $0.vocabulary.rawValue < $1.vocabulary.rawValue }
  }

  var isEmpty: Bool { columns.count == 0 && byVocabulary.isEmpty }

  /// Returns whether the next piece should begin another frame: because of the total number of rows, the bytes of the
  /// texts so far including names, or the total number of columns.
  func isFull(for piece: SegmentSource.Piece, rowCount: Int, byteCount: Int) -> Bool {
    let nameBytes = byVocabulary.values.reduce(0) { $0 + $1.texts.bytes.count }
    // An attribute may take two columns; every other column occurs once.
    let columnCount = 2 * columns.attributes.count + 256 + (piece.frame?.entries.count ?? 0)
    return columns.count + piece.positions.count > rowCount
      || columns.looseBytes + nameBytes >= byteCount || columns.attributes.count >= 8_192
      || columnCount > Int(UInt16.max)
  }

  /// Adds a frame, or the place of a missing one.
  ///
  /// - Parameters:
  ///   - piece: The frame.
  ///   - log: The log of the frame.
  ///   - absent: As in ``FrameTransfer``.
  ///   - shapes: As in ``FrameTransfer``.
  ///   - used: The names that stay; nil for all.
  /// - Throws: ``LogError`` if it cannot be read.
  mutating func append(
    _ piece: SegmentSource.Piece, of log: LogReader, absent: [UInt8]? = nil, shapes: LogNames,
    used: UsedNames? = nil
  ) throws(LogError) {
    for (vocabulary, codes) in piece.holes { append(.holes(vocabulary, codes), nil) }
    if let frame = piece.frame {
      for added in try log.namesAdded(by: frame) { append(added, used) }
    }
    guard let frame = piece.frame, !piece.isLost else {
      return columns.appendAbsent(piece.positions.count, AbsentKind.lost)
    }
    guard frame.rows > 0 else { return }
    let reader = FrameReader(log: log, frame: frame)
    try FrameTransfer(reader, absent: absent, names: shapes).append(to: &columns)
  }

  private mutating func append(_ added: FrameWriter.Names, _ used: UsedNames?) {
    // In place: copying for each of many small frames would take quadratic time.
    byVocabulary[
      added.vocabulary,
      default: FrameWriter.Names(
        vocabulary: added.vocabulary, firstCode: added.firstCode, texts: TextList())
    ].append(added) { used?.contains($0, in: added.vocabulary) ?? true }
  }

  /// Pads the columns to the last row.
  mutating func finish() { columns.finish() }

  /// Returns whether the other frame has the same rows and the same names.
  func isSame(as other: MergedFrame) -> Bool {
    columns.isSame(as: other.columns) && names == other.names
  }
}

extension FrameWriter.Names {
  /// Returns codes without a name.
  static func holes(_ vocabulary: Vocabulary, _ codes: Range<UInt32>) -> FrameWriter.Names {
    FrameWriter.Names(
      vocabulary: vocabulary, firstCode: codes.lowerBound, texts: TextList(),
      present: Bitmap(count: codes.count))
  }

  /// The number of codes, with and without a name.
  var codeCount: Int { present?.count ?? texts.count }

  /// Appends the following names, except those that do not stay.
  mutating func append(_ added: FrameWriter.Names, where stays: (UInt32) -> Bool) {
    var next = 0
    for index in 0..<added.codeCount {
      let isThere = added.present?[index] ?? true
      let isStaying = isThere && stays(added.firstCode &+ UInt32(truncatingIfNeeded: index))
      if !isStaying, present == nil { present = Bitmap(count: texts.count, allSet: true) }
      present?.append(isStaying)
      if isStaying { texts.append(added.texts[next]) }
      next += isThere ? 1 : 0
    }
  }
}

extension LogReader {
  /// Returns the names that a frame adds to the log. If damage is skipped, names that cannot be read become codes
  /// without a name.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
  func namesAdded(by frame: FrameInfo) throws(LogError) -> [FrameWriter.Names] {
    var added: [FrameWriter.Names] = []
    for entry in frame.entries {
      guard let vocabulary = entry.column.vocabulary, let firstCode = UInt32(exactly: entry.low),
        entry.values > 0
      else { continue }
      let chunk = try passingOver { () throws(LogError) in try names(entry, of: frame) }
      added.append(
        chunk.map {
          FrameWriter.Names(
            vocabulary: vocabulary, firstCode: firstCode, texts: $0.texts, present: $0.present)
        } ?? .holes(vocabulary, firstCode..<firstCode &+ entry.values))
    }
    return added
  }
}

extension FrameColumns {
  /// Appends rows without events, of one of ``AbsentKind``.
  mutating func appendAbsent(_ rows: Int, _ kind: UInt8) {
    guard rows > 0 else { return }
    let time = integers[Int(ColumnID.time.rawValue)].values.last ?? 0
    for _ in 0..<rows {
      set(.kind, Int64(kind), count)
      set(.time, time, count)
      count += 1
    }
    kinds |= 1 << UInt64(kind)
  }

  /// Returns whether the other columns have the same rows. Anything that is not stored in a frame is ignored.
  func isSame(as other: FrameColumns) -> Bool {
    let mine = attributes.filter { !$0.isEmpty }.sorted()
    let others = other.attributes.filter { !$0.isEmpty }.sorted()
    return count == other.count && hasSameIntegers(as: other) && ids == other.ids
      && configurations == other.configurations && unknowns == other.unknowns
      && propensities == other.propensities && values == other.values
      && revenues == other.revenues && literals == other.literals && mine == others
      && probabilities.elementsEqual(other.probabilities) { $0.bitPattern == $1.bitPattern }
  }

  /// Compares the integer columns, ignoring the times of rows without events.
  private func hasSameIntegers(as other: FrameColumns) -> Bool {
    let kinds = integers[Int(ColumnID.kind.rawValue)].values
    return zip(integers, other.integers).enumerated().allSatisfy { column, pair in
      guard column == ColumnID.time.rawValue, pair.0.values.count == kinds.count else {
        return pair.0 == pair.1
      }
      return pair.1.values.count == kinds.count
        && kinds.indices.allSatisfy { row in
          AbsentKind.contains(kinds[row]) || pair.0.values[row] == pair.1.values[row]
        }
    }
  }
}
