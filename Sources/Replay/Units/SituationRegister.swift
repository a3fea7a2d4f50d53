internal import EventLog
package import Events

/// Assigns dense indices to the situations of decisions, in order of first appearance: their choices, the values of
/// some attributes of their context, and those of some attributes of variants. Equal situations are stored once.
///
/// Memory: for each distinct situation 4 bytes for the choices, 4 for each attribute, and 8 to 16 more; for each
/// distinct value some 20 bytes and its text; for the attributes of variants see ``VariantValueRegister``.
package struct SituationRegister: Sendable {
  /// The number of attributes of the context in a situation.
  package let attributeCount: Int
  /// The number of parts of a situation.
  private let partCount: Int
  private var listRegister = Register<[UInt32]>([[]])
  private var valueRegisters: [Register<AttributeValue?>]
  /// The values of each attribute of variants.
  package private(set) var features: [VariantValueRegister]
  /// For each situation the index of its list, then that of each attribute's value, then that of the list of values of
  /// each attribute of variants.
  private var parts: [UInt32] = []
  private var table = IndexTable()
  /// The parts of the most recent row.
  private var row: [UInt32]

  /// Creates an empty register of so many attributes of contexts and of variants.
  package init(attributeCount: Int = 0, featureCount: Int = 0) {
    self.attributeCount = attributeCount
    partCount = 1 + attributeCount + featureCount
    features = Array(repeating: VariantValueRegister(), count: featureCount)
    valueRegisters = Array(repeating: Register([nil]), count: attributeCount)
    row = Array(repeating: 0, count: partCount)
  }

  /// The distinct lists of choices as codes of variants; the first stands for choices that were not logged.
  package var lists: [[UInt32]] { listRegister.values }

  /// Returns the distinct values of an attribute; the first stands for an absent one.
  package func values(of attribute: Int) -> [AttributeValue?] { valueRegisters[attribute].values }

  /// The number of situations.
  package var count: Int { parts.count / partCount }

  /// Returns the index in ``lists`` of a situation's choices.
  @inline(__always)
  package func list(of situation: UInt32) -> Int {
    Int(parts[Int(situation) * partCount])
  }

  /// Returns the index in ``values`` of a situation's value of an attribute.
  @inline(__always)
  package func value(_ attribute: Int, of situation: UInt32) -> Int {
    Int(parts[Int(situation) * partCount + 1 + attribute])
  }

  /// Returns the index in ``features`` of a situation's values of an attribute of variants.
  @inline(__always)
  func featureList(_ feature: Int, of situation: UInt32) -> UInt32 {
    parts[Int(situation) * partCount + 1 + attributeCount + feature]
  }

  // MARK: Filling

  /// Forgets the numbers of the current batch, because the next batch numbers lists and values anew.
  mutating func beginBatch() {
    listRegister.beginBatch()
    for attribute in 0..<attributeCount { valueRegisters[attribute].beginBatch() }
    for feature in features.indices { features[feature].beginBatch() }
  }

  /// Returns the index of the situation of a row's decision. The attributes are the first of the batch, and those of
  /// variants too.
  ///
  /// - Complexity: O(attributes) on average.
  mutating func index(of batch: EventBatch, _ row: Int) -> UInt32 {
    let list = batch.choices.codes[row]
    self.row[0] = list == 0 ? 0 : listIndex(list, batch.choices)
    for attribute in 0..<attributeCount {
      let code = batch.attributes[attribute].codes[row]
      self.row[1 + attribute] =
        code == 0 ? 0 : valueIndex(attribute, code, batch.attributes[attribute])
    }
    for feature in features.indices {
      self.row[1 + attributeCount + feature] = features[feature].index(
        of: batch.features[feature].codes[row], batch.features[feature])
    }
    return indexOfRow()
  }

  /// Adds the contents of another register of the same attributes.
  ///
  /// - Returns: For each situation there, the index here.
  mutating func add(_ other: SituationRegister) -> [UInt32] {
    let lists = listRegister.add(other.listRegister)
    let values = (0..<attributeCount).map { valueRegisters[$0].add(other.valueRegisters[$0]) }
    var featureLists: [[UInt32]] = []
    for feature in features.indices {
      featureLists.append(features[feature].add(other.features[feature]))
    }
    return (0..<UInt32(clamping: other.count)).map { situation in
      row[0] = lists[other.list(of: situation)]
      for attribute in 0..<attributeCount {
        row[1 + attribute] = values[attribute][other.value(attribute, of: situation)]
      }
      for feature in features.indices {
        let list = Int(other.featureList(feature, of: situation))
        row[1 + attributeCount + feature] = featureLists[feature][list]
      }
      return indexOfRow()
    }
  }

  private mutating func listIndex(_ number: UInt32, _ choices: ChoiceColumn) -> UInt32 {
    listRegister.index(ofNumber: number) {
      choices.distinctVariants(of: number)
    }
  }

  private mutating func valueIndex(
    _ attribute: Int, _ code: UInt32, _ column: AttributeColumn
  ) -> UInt32 {
    valueRegisters[attribute].index(ofNumber: code) { column.value(code) }
  }

  // MARK: The table

  /// Returns the index of the situation with the parts of ``row``.
  private mutating func indexOfRow() -> UInt32 {
    let location = table.find(code { row[$0] }, isRow)
    if let index = location.index { return UInt32(index) }
    parts.append(contentsOf: row)
    table.add(at: location)
    if table.isFull { table.grow(codes) }
    return UInt32(count - 1)
  }

  private func isRow(_ situation: Int) -> Bool {
    let start = situation * row.count
    for part in row.indices where parts[start + part] != row[part] { return false }
    return true
  }

  private var codes: some Sequence<Int> {
    (0..<count).lazy.map { [self] situation in code { parts[situation * partCount + $0] } }
  }

  @inline(__always)
  private func code(_ part: (Int) -> UInt32) -> Int {
    var mixed: UInt64 = 0
    for index in 0..<partCount {
      mixed = (mixed ^ UInt64(part(index)) ^ mixed >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
    return IndexTable.code(mixed)
  }
}
