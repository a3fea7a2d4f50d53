internal import Events

/// The writer's side of the vocabularies: gives codes to names and remembers which of them no frame has
/// yet.
struct NameRegister {
  /// Units are as many as there are visitors, so they have a register that does not keep their names; the
  /// table of units stays empty.
  private var units: UnitRegister
  private var tables: [NameTable] = Vocabulary.allCases.map { NameTable(firstCode: $0.firstCode) }
  private var published: [Int] = Array(repeating: 0, count: Vocabulary.allCases.count)
  /// How many bytes the names in the tables have that no frame has yet.
  private var unpublishedTableBytes = 0
  /// The short names that came last.
  var recentNames = RecentNames()
  /// The lists and shapes that came last.
  var recentPatterns = RecentPatterns()

  init(units: UnitRegister) {
    self.units = units
  }

  /// The code of a unit, a new one if it was not there.
  ///
  /// - Throws: ``LogError`` when a temporary file fails.
  mutating func code(
    ofUnit name: Span<UInt8>, _ fingerprint: Fingerprint? = nil
  ) throws(LogError) -> UInt32 {
    guard let fingerprint else { return try units.code(of: name) }
    return try units.code(of: name, fingerprint)
  }

  /// The fingerprint by which the unit of an event is known.
  func fingerprint(ofUnitOf record: inout EventRecord) -> Fingerprint {
    let unit = record.texts[EventRecord.TextField.unit.rawValue]
    return units.fingerprint(of: record.bytes.span.extracting(unit.range))
  }

  /// Has the processor fetch what it needs to know the units' codes.
  mutating func touchUnits(_ fingerprints: [Fingerprint]) {
    units.touch(fingerprints)
  }

  /// The code of a name of any other vocabulary, a new one if it was not there.
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

  /// Whether the vocabulary takes as many more names, whatever they are.
  func hasRoom(for count: Int, in vocabulary: Vocabulary) -> Bool {
    tables[vocabulary.index].count + count <= Vocabulary.literalLimit
  }

  /// Whether the vocabulary takes more names. Texts that stand in the frame itself once there are too many
  /// must not add to other vocabularies either.
  func hasRoom(for name: Span<UInt8>, in vocabulary: Vocabulary) -> Bool {
    let table = tables[vocabulary.index]
    return table.count < Vocabulary.literalLimit
      || table.find(name, hash: NameBytes.hash(name)) != nil
  }

  /// The code of a text, or ``Vocabulary/literalCode`` when it is too long, or one too many, to get one.
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

  /// How many bytes of names no frame has yet.
  var unpublishedBytes: Int { units.unpublishedBytes + unpublishedTableBytes }

  /// The names that no frame has yet.
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

  /// Says that every name is now in a frame.
  mutating func publishAll() {
    units.publishAll()
    for index in tables.indices { published[index] = tables[index].count }
    unpublishedTableBytes = 0
  }

  /// Takes the names of a frame that is read back. They must go on where the names before ended.
  ///
  /// - Throws: ``ColumnError`` when they do not, or when a name is not new; ``LogError`` when a temporary file
  ///   fails.
  mutating func take(_ names: NameChunk, in vocabulary: Vocabulary, firstCode: UInt32) throws {
    let index = vocabulary.index
    let next = vocabulary == .units ? units.nextCode : tables[index].nextCode
    guard firstCode == next else {
      throw ColumnError("\(vocabulary.name) begin with code \(firstCode), not \(next)")
    }
    for name in names {
      let isNew = vocabulary == .units ? try units.take(name) : take(name, in: index)
      guard isNew else { throw ColumnError("a name of \(vocabulary.name) stands there twice") }
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
