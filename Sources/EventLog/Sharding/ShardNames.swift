internal import Events

/// The names of a shard, and the codes that they have in the log that is split: each name gets the next free code of
/// the shard when it is first used there.
struct ShardNames {
  private var tables: [NameTable] = Vocabulary.allCases.map { NameTable(firstCode: $0.firstCode) }
  private var published = [Int](repeating: 0, count: Vocabulary.allCases.count)
  /// By kind, the code in the shard of each code of the log.
  private var codes = [CodeMap](repeating: CodeMap(), count: CodeKind.allCases.count)
  private var pendingUnits = TextList()
  private var unitCount: UInt32 = 0
  private var pendingBytes = 0
  /// The code of the unit of events that concern everyone; 0 if no event names it.
  private(set) var everyone: UInt32 = 0

  /// The size in bytes of the names that no frame contains yet.
  var unpublishedBytes: Int { pendingBytes + pendingUnits.bytes.count }

  /// Adds a unit.
  ///
  /// - Returns: Its code.
  mutating func add(unit name: ArraySlice<UInt8>) -> UInt32 {
    pendingUnits.append(name.span)
    unitCount += 1
    if name.isEmpty { everyone = unitCount }
    return unitCount
  }

  /// Returns the code in the shard of a code of the log, which is neither 0 nor that of a literal.
  ///
  /// - Throws: ``ColumnError`` if the code, or one that it is composed of, has no name.
  @inline(__always)
  mutating func code(
    of code: UInt32, _ kind: CodeKind, _ names: LogNames
  ) throws(ColumnError) -> UInt32 {
    let known = codes[kind.rawValue][code]
    return known != 0 ? known : try add(code, kind, names)
  }

  @inline(never)
  private mutating func add(
    _ code: UInt32, _ kind: CodeKind, _ names: LogNames
  ) throws(ColumnError) -> UInt32 {
    guard let text = names.bytes(code, in: kind.vocabulary) else {
      throw ColumnError("code \(code) of \(kind.vocabulary.name) has no name")
    }
    let own: ArraySlice<UInt8> =
      switch kind {
      case .choices: try list(text, .variants, names)
      case .changed: try list(text, .keys, names)
      case .shapes: try shape(text, .context, names)
      case .featureShapes: try shape(text, .features, names)
      default: text
      }
    let index = kind.vocabulary.index
    let count = tables[index].count
    let added = tables[index].intern(own)
    if tables[index].count > count { pendingBytes += own.count }
    codes[kind.rawValue][code] = added
    return added
  }

  /// Returns a list with the codes of its items in the shard.
  ///
  /// - Throws: ``ColumnError`` if it is no list, or an item has no name.
  mutating func list(
    _ text: ArraySlice<UInt8>, _ items: CodeKind, _ names: LogNames
  ) throws(ColumnError) -> ArraySlice<UInt8> {
    var reader = LittleEndianReader(text)
    var list: [UInt8] = []
    let count = try reader.readVariableLength()
    list.appendVariableLength(count)
    for _ in 0..<count {
      guard let item = UInt32(exactly: try reader.readVariableLength()) else {
        throw ColumnError("a list names a code that is not there")
      }
      list.appendVariableLength(UInt64(try code(of: item, items, names)))
    }
    try reader.requireEnd()
    return list[...]
  }

  private mutating func shape(
    _ text: ArraySlice<UInt8>, _ role: AttributeRole, _ names: LogNames
  ) throws(ColumnError) -> ArraySlice<UInt8> {
    let shape = try AttributeShape(
      text, role: role, attributeLimit: names.codeLimit(.attributes),
      variantLimit: names.codeLimit(.variants))
    var own: [UInt8] = []
    if role == .features { own.appendVariableLength(UInt64(shape.groups.count)) }
    for group in shape.groups {
      if role == .features {
        own.appendVariableLength(UInt64(try code(of: group.variant, .variants, names)))
      }
      own.appendVariableLength(UInt64(group.fields.count))
      for field in group.fields {
        let name = try code(of: field.name, .attributes, names)
        own.appendVariableLength(UInt64(name) * 4 + UInt64(field.type.rawValue) - 1)
      }
    }
    return own[...]
  }

  /// The names that no frame contains yet.
  var unpublished: [FrameWriter.Names] {
    Vocabulary.allCases.compactMap { vocabulary in
      if vocabulary == .units {
        guard pendingUnits.count > 0 else { return nil }
        let first = unitCount + 1 - UInt32(pendingUnits.count)
        return FrameWriter.Names(vocabulary: .units, firstCode: first, texts: pendingUnits)
      }
      let table = tables[vocabulary.index]
      let first = published[vocabulary.index]
      guard first < table.count else { return nil }
      var texts = TextList()
      for name in first..<table.count { texts.append(table.texts[name]) }
      return FrameWriter.Names(
        vocabulary: vocabulary, firstCode: table.code(at: first), texts: texts)
    }
  }

  /// Marks every name as contained in a frame.
  mutating func publishAll() {
    pendingUnits.removeAll()
    pendingBytes = 0
    for index in tables.indices { published[index] = tables[index].count }
  }
}

/// The codes in a shard of the codes of a log; 0 for those that the shard does not have.
private struct CodeMap {
  /// The code below which codes are kept in an array: larger ones are rare enough for a dictionary.
  private static let denseLimit: UInt32 = 1_024

  private var dense: [UInt32] = []
  private var sparse: [UInt32: UInt32] = [:]

  subscript(code: UInt32) -> UInt32 {
    @inline(__always) get {
      if code < UInt32(truncatingIfNeeded: dense.count) { return dense[Int(code)] }
      return code < Self.denseLimit ? 0 : sparse[code] ?? 0
    }
    set {
      guard code < Self.denseLimit else {
        sparse[code] = newValue
        return
      }
      if dense.count <= Int(code) {
        let missing = max(dense.count, Int(code) + 1 - dense.count)
        dense.append(contentsOf: repeatElement(0, count: missing))
      }
      dense[Int(code)] = newValue
    }
  }
}
