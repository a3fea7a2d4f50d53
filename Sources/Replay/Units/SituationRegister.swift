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
  /// The distinct lists of choices as codes of variants; the first stands for choices that were not logged.
  package private(set) var lists: [[UInt32]] = [[]]
  /// For each attribute its distinct values; the first stands for an absent one.
  package private(set) var values: [[AttributeValue?]]
  /// The values of each attribute of variants.
  private(set) var features: [VariantValueRegister]
  /// For each situation the index of its list, then that of each attribute's value, then that of the list of values of
  /// each attribute of variants.
  private var parts: [UInt32] = []
  private var table = IndexTable()
  private var listIndices: [[UInt32]: UInt32] = [:]
  private var valueIndices: [[AttributeValue: UInt32]]
  /// By number in the batch of a list, and of each attribute's value, its index here plus one; 0 if it has not been
  /// looked up.
  private var batchLists: [UInt32] = []
  private var batchValues: [[UInt32]]
  /// The parts of the most recent row.
  private var row: [UInt32]

  /// Creates an empty register of so many attributes of contexts and of variants.
  package init(attributeCount: Int = 0, featureCount: Int = 0) {
    self.attributeCount = attributeCount
    partCount = 1 + attributeCount + featureCount
    features = Array(repeating: VariantValueRegister(), count: featureCount)
    values = Array(repeating: [nil], count: attributeCount)
    valueIndices = Array(repeating: [:], count: attributeCount)
    batchValues = Array(repeating: [], count: attributeCount)
    row = Array(repeating: 0, count: partCount)
  }

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
    batchLists.removeAll(keepingCapacity: true)
    for attribute in 0..<attributeCount { batchValues[attribute].removeAll(keepingCapacity: true) }
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
    let lists = other.lists.map { index(ofList: $0) }
    let values = (0..<attributeCount).map { attribute in
      other.values[attribute].map { index(of: $0, attribute) }
    }
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
    Self.reserve(max(Int(number), choices.listCount), &batchLists)
    if batchLists[Int(number)] == 0 {
      batchLists[Int(number)] = index(ofList: choices.distinctVariants(of: number)) + 1
    }
    return batchLists[Int(number)] - 1
  }

  private mutating func valueIndex(
    _ attribute: Int, _ code: UInt32, _ column: AttributeColumn
  ) -> UInt32 {
    Self.reserve(max(Int(code), column.valueCount), &batchValues[attribute])
    if batchValues[attribute][Int(code)] == 0 {
      batchValues[attribute][Int(code)] = index(of: column.value(code), attribute) + 1
    }
    return batchValues[attribute][Int(code)] - 1
  }

  private static func reserve(_ last: Int, _ indices: inout [UInt32]) {
    guard last >= indices.count else { return }
    indices.append(contentsOf: repeatElement(0, count: last + 1 - indices.count))
  }

  private mutating func index(ofList list: [UInt32]) -> UInt32 {
    if list.isEmpty { return 0 }
    if let index = listIndices[list] { return index }
    let index = UInt32(lists.count)
    lists.append(list)
    listIndices[list] = index
    return index
  }

  private mutating func index(of value: AttributeValue?, _ attribute: Int) -> UInt32 {
    guard let value else { return 0 }
    if let index = valueIndices[attribute][value] { return index }
    let index = UInt32(values[attribute].count)
    values[attribute].append(value)
    valueIndices[attribute][value] = index
    return index
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
