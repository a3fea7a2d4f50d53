/// The writer's side of the vocabularies: gives codes to names and remembers which of them no frame has
/// yet.
struct NameRegister: Sendable {
  private var tables: [NameTable] = Vocabulary.allCases.map { NameTable(firstCode: $0.firstCode) }
  private var published: [Int] = Array(repeating: 0, count: Vocabulary.allCases.count)

  /// The code of a name, a new one if it was not there.
  mutating func code(of name: ArraySlice<UInt8>, in vocabulary: Vocabulary) -> UInt32 {
    tables[Int(vocabulary.rawValue) - 1].intern(name)
  }

  /// The code of a text, or ``Vocabulary/literalCode`` when it is too long, or one too many, to get one.
  mutating func codeOrLiteral(of text: ArraySlice<UInt8>, in vocabulary: Vocabulary) -> UInt32 {
    guard text.count <= vocabulary.longestText else { return Vocabulary.literalCode }
    let index = Int(vocabulary.rawValue) - 1
    if tables[index].count >= Vocabulary.literalLimit {
      return tables[index].code(of: text) ?? Vocabulary.literalCode
    }
    return tables[index].intern(text)
  }

  /// The names that no frame has yet, and the code of the first.
  func unpublished(_ vocabulary: Vocabulary) -> (firstCode: UInt32, names: TextList)? {
    let index = Int(vocabulary.rawValue) - 1
    let table = tables[index]
    guard published[index] < table.count else { return nil }
    var names = TextList()
    for name in published[index]..<table.count { names.append(table.texts[name]) }
    return (table.firstCode + UInt32(published[index]), names)
  }

  /// Whether some name is in no frame yet.
  var hasUnpublished: Bool {
    zip(tables, published).contains { $0.count > $1 }
  }

  /// Says that every name is now in a frame.
  mutating func publishAll() {
    for index in tables.indices { published[index] = tables[index].count }
  }

  /// Takes the names of a frame that is read back. They must go on where the names before ended.
  mutating func take(
    _ names: TextList, in vocabulary: Vocabulary, firstCode: UInt32
  ) throws(ColumnError) {
    let index = Int(vocabulary.rawValue) - 1
    guard firstCode == tables[index].nextCode else {
      throw ColumnError(
        "\(vocabulary.name) begin with code \(firstCode), not \(tables[index].nextCode)")
    }
    for name in 0..<names.count {
      let before = tables[index].count
      _ = tables[index].intern(names[name])
      guard tables[index].count == before + 1 else {
        throw ColumnError("a name of \(vocabulary.name) stands there twice")
      }
    }
    published[index] = tables[index].count
  }
}
