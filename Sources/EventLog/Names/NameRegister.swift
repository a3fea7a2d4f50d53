internal import Events

/// The writer's side of the vocabularies: assigns codes to names and tracks the names that no frame contains yet.
struct NameRegister {
  /// There are as many units as visitors, so their register does not keep the names; the table of units stays empty.
  private var units: UnitRegister
  private var tables: [NameTable] = Vocabulary.allCases.map { NameTable(firstCode: $0.firstCode) }
  private var published: [Int] = Array(repeating: 0, count: Vocabulary.allCases.count)
  /// The size in bytes of the names in the tables that no frame contains yet.
  private var unpublishedTableBytes = 0
  /// The most recent short names.
  var recentNames = RecentNames()
  /// The most recent lists and shapes.
  var recentPatterns = RecentPatterns()

  init(units: UnitRegister) {
    self.units = units
  }

  /// Returns the code of a unit, assigning a new one if needed.
  ///
  /// - Throws: ``LogError`` if a temporary file fails.
  mutating func code(
    ofUnit name: Span<UInt8>, _ fingerprint: Fingerprint? = nil
  ) throws(LogError) -> UInt32 {
    guard let fingerprint else { return try units.code(of: name) }
    return try units.code(of: name, fingerprint)
  }

  /// Returns the fingerprint that identifies the unit of an event.
  func fingerprint(ofUnitOf record: inout EventRecord) -> Fingerprint {
    let unit = record.texts[EventRecord.TextField.unit.rawValue]
    return units.fingerprint(of: record.bytes.span.extracting(unit.range))
  }

  /// Prefetches the table slots of units into the cache.
  func prefetchUnits(_ fingerprints: [Fingerprint]) {
    units.prefetch(fingerprints)
  }

  /// Returns the code of a name of any other vocabulary, assigning a new one if needed.
  @inline(__always)
  mutating func code(of name: Span<UInt8>, in vocabulary: Vocabulary) -> UInt32 {
    if let words = NameWords(name), let code = recentNames.code(of: words, in: vocabulary) {
      return code
    }
    return lookUp(name, in: vocabulary)
  }

  @inline(never)
  private mutating func lookUp(_ name: Span<UInt8>, in vocabulary: Vocabulary) -> UInt32 {
    let hash = NameBytes.hash(name)
    let code =
      tables[vocabulary.index].find(name, hash: hash)
      ?? insert(name, hash: hash, in: vocabulary)
    if let words = NameWords(name) { recentNames.keep(code, of: words, in: vocabulary) }
    return code
  }

  @inline(never)
  private mutating func insert(
    _ name: Span<UInt8>, hash: UInt64, in vocabulary: Vocabulary
  ) -> UInt32 {
    unpublishedTableBytes += name.count
    return tables[vocabulary.index].insert(name, hash: hash)
  }

  /// Returns whether the vocabulary has room for a number of additional names, whatever they are.
  func hasRoom(for count: Int, in vocabulary: Vocabulary) -> Bool {
    tables[vocabulary.index].count + count <= Vocabulary.literalLimit
  }

  /// Returns whether the vocabulary has room for a name. Texts that are stored in the frame itself once there are too
  /// many must not add to other vocabularies either.
  func hasRoom(for name: Span<UInt8>, in vocabulary: Vocabulary) -> Bool {
    let table = tables[vocabulary.index]
    return table.count < Vocabulary.literalLimit
      || table.find(name, hash: NameBytes.hash(name)) != nil
  }

  /// Returns the code of a text, or ``Vocabulary/literalCode`` if it is too long to get one, or there are too many.
  mutating func codeOrLiteral(of text: Span<UInt8>, in vocabulary: Vocabulary) -> UInt32 {
    if let words = NameWords(text), let code = recentNames.code(of: words, in: vocabulary) {
      return code
    }
    guard text.count <= vocabulary.longestText else { return Vocabulary.literalCode }
    let hash = NameBytes.hash(text)
    let index = vocabulary.index
    let known = tables[index].find(text, hash: hash)
    guard known != nil || tables[index].count < Vocabulary.literalLimit else {
      return Vocabulary.literalCode
    }
    let code = known ?? insert(text, hash: hash, in: vocabulary)
    if let words = NameWords(text) { recentNames.keep(code, of: words, in: vocabulary) }
    return code
  }

  /// The size in bytes of the names that no frame contains yet.
  var unpublishedBytes: Int { units.unpublishedBytes + unpublishedTableBytes }

  /// The names that no frame contains yet.
  var unpublished: [FrameWriter.Names] {
    Vocabulary.allCases.compactMap { vocabulary in
      guard vocabulary != .units else {
        return units.unpublished.map {
          FrameWriter.Names(vocabulary: .units, firstCode: $0.firstCode, texts: $0.names)
        }
      }
      let index = vocabulary.index
      let table = tables[index]
      guard published[index] < table.count else { return nil }
      var texts = TextList()
      for name in published[index]..<table.count { texts.append(table.texts[name]) }
      return FrameWriter.Names(
        vocabulary: vocabulary, firstCode: table.code(at: published[index]), texts: texts)
    }
  }

  /// Marks every name as contained in a frame.
  mutating func publishAll() {
    units.publishAll()
    for index in tables.indices { published[index] = tables[index].count }
    unpublishedTableBytes = 0
  }

  /// Adds the names of a frame that is read back. They must continue where the names before ended.
  ///
  /// - Throws: ``ColumnError`` if they do not, or if a name is not new; ``LogError`` if a temporary file fails.
  mutating func take(_ names: NameChunk, in vocabulary: Vocabulary, firstCode: UInt32) throws {
    let index = vocabulary.index
    let next = vocabulary == .units ? units.nextCode : tables[index].nextCode
    guard firstCode == next else {
      throw ColumnError("\(vocabulary.name) begin with code \(firstCode), not \(next)")
    }
    for name in names {
      let isNew = vocabulary == .units ? try units.take(name) : take(name, in: index)
      guard isNew else { throw ColumnError("a name of \(vocabulary.name) occurs twice") }
    }
    published[index] = tables[index].count
  }

  private mutating func take(_ name: ArraySlice<UInt8>?, in index: Int) -> Bool {
    guard let name else {
      tables[index].appendHoles(1)
      return true
    }
    let before = tables[index].count
    _ = tables[index].intern(name)
    return tables[index].count == before + 1
  }
}
