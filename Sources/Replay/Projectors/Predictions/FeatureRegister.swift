internal import EventLog
internal import Events
internal import Prediction

/// What features are made of.
struct FeatureNaming: Sendable {
  /// The most attributes of contexts that are read.
  static let attributeLimit = 256

  /// The names of the attributes of contexts.
  let attributes: [String]
  /// Kinds and keys of data points.
  let names: LogNames

  /// What tells apart what a data point says something of.
  func texts(kind: UInt32, key: UInt32) -> (kind: String, key: String) {
    (names.string(kind, in: .dataKinds) ?? "", names.string(key, in: .keys) ?? "")
  }
}

/// Gives features, and the contexts of decisions, dense indices, in order of first appearance.
///
/// A text or truth value is a feature of its own, which is there; a number is the value of one feature, of whatever the
/// number is of. What is known without a value is there.
struct FeatureRegister: Sendable {
  /// By feature: its code.
  private(set) var features = CodeIndex()
  /// By feature: the code of what it says something of, which is known once of each unit.
  private(set) var slots: [UInt64] = []
  /// What decisions were made with: features by ascending codes.
  private(set) var contexts: [[Feature]] = []
  private var contextIndices: [[Feature]: UInt32] = [:]

  private var batchKeys = CodeIndex()
  /// By kind and key, or by the attribute, in the batch: for each number of a value its feature.
  private var batchFeatures: [[(index: UInt32, value: Double)?]] = []

  init() {}

  /// Forgets the numbers that values have in a batch, because they are others in the next.
  mutating func beginBatch() {
    batchKeys = CodeIndex()
    batchFeatures.removeAll(keepingCapacity: true)
  }

  /// The feature that a data point is.
  mutating func feature(
    of column: AttributeColumn, _ row: Int, kind: UInt32, key: UInt32, _ naming: FeatureNaming
  ) -> (index: UInt32, value: Double) {
    let place = place(UInt64(kind) << 32 | UInt64(key), column)
    let number = Int(column.codes[row])
    if let known = batchFeatures[place][number] { return known }
    let texts = naming.texts(kind: kind, key: key)
    let feature = feature(texts.kind, texts.key, column.value(column.codes[row]))
    batchFeatures[place][number] = feature
    return feature
  }

  /// The index of what a decision was made with; nil when nothing was known.
  mutating func context(
    of columns: ArraySlice<AttributeColumn>, _ row: Int, _ naming: FeatureNaming
  ) -> UInt32? {
    var context: [Feature] = []
    for (attribute, column) in columns.enumerated() where column.codes[row] != 0 {
      let place = place(UInt64(attribute), column)
      let number = Int(column.codes[row])
      let known =
        batchFeatures[place][number]
        ?? feature("context", naming.attributes[attribute], column.value(column.codes[row]))
      batchFeatures[place][number] = known
      context.append(Feature(code: features.keys[Int(known.index)], value: known.value))
    }
    guard !context.isEmpty else { return nil }
    context.sort { $0.code < $1.code }
    return index(of: context)
  }

  /// The place in ``batchFeatures`` of what stands in the column.
  private mutating func place(_ key: UInt64, _ column: AttributeColumn) -> Int {
    let place = batchKeys.index(of: key)
    if place == batchFeatures.count {
      batchFeatures.append(Array(repeating: nil, count: column.valueCount + 1))
    }
    return place
  }

  private mutating func feature(_ kind: String, _ key: String, _ value: AttributeValue?)
    -> (index: UInt32, value: Double)
  {
    let slot = Feature.code(of: kind, key)
    switch value {
    case .number(let number): return (index(of: slot, slot: slot), number)
    case .integer(let number): return (index(of: slot, slot: slot), Double(number))
    case nil: return (index(of: slot, slot: slot), 1)
    case .text, .flag:
      let text = value.map { StudyRegister.name($0).rawValue } ?? ""
      return (index(of: Feature.code(of: kind, key, text), slot: slot), 1)
    }
  }

  private mutating func index(of code: UInt64, slot: UInt64) -> UInt32 {
    let index = features.index(of: code)
    if index == slots.count { slots.append(slot) }
    return UInt32(truncatingIfNeeded: index)
  }

  private mutating func index(of context: [Feature]) -> UInt32 {
    if let index = contextIndices[context] { return index }
    let index = UInt32(truncatingIfNeeded: contexts.count)
    contexts.append(context)
    contextIndices[context] = index
    return index
  }

  /// Takes what another register has.
  ///
  /// - Returns: For each feature and each context there, the index here.
  mutating func add(_ other: FeatureRegister) -> (features: [UInt32], contexts: [UInt32]) {
    let features = zip(other.features.keys, other.slots).map { index(of: $0, slot: $1) }
    return (features, other.contexts.map { index(of: $0) })
  }
}
