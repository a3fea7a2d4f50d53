internal import EventLog
internal import Events
internal import Prediction

/// The names that features are derived from.
struct FeatureNaming: Sendable {
  /// The maximum number of context attributes that are read.
  static let attributeLimit = 256

  /// The names of the context attributes.
  let attributes: [String]
  /// The kinds and keys of data points.
  let names: LogNames

  /// Returns the kind and key that identify the subject of a data point.
  func texts(kind: UInt32, key: UInt32) -> (kind: String, key: String) {
    (names.string(kind, in: .dataKinds) ?? "", names.string(key, in: .keys) ?? "")
  }
}

/// Assigns dense indices to features, and to the contexts of decisions, in order of first appearance.
///
/// A text or truth value is a binary feature of its own; a number is the value of a single numeric feature of its
/// attribute. A data point without a value is a binary feature.
struct FeatureRegister: Sendable {
  /// The code of each feature.
  private(set) var features = CodeIndex()
  /// For each feature, the code of its slot: the attribute or data point it belongs to, of which a unit has one
  /// current value.
  private(set) var slots: [UInt64] = []
  private var contextRegister = Register<[Feature]>()

  private var batchKeys = CodeIndex()
  /// By kind and key, or by attribute, in the current batch: the feature of each value number.
  private var batchFeatures: [[(index: UInt32, value: Double)?]] = []

  init() {}

  /// The contexts of decisions: features by ascending codes.
  var contexts: [[Feature]] { contextRegister.values }

  /// Forgets the value numbers of the current batch, because the next batch numbers values anew.
  mutating func beginBatch() {
    batchKeys = CodeIndex()
    batchFeatures.removeAll(keepingCapacity: true)
  }

  /// Returns the feature of a data point.
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

  /// Returns the index of the context of a decision; nil if it is empty.
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
    return contextRegister.index(of: context)
  }

  /// Returns the index in ``batchFeatures`` of the values of a column.
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

  /// Adds the contents of another register.
  ///
  /// - Returns: For each feature and each context there, the index here.
  mutating func add(_ other: FeatureRegister) -> (features: [UInt32], contexts: [UInt32]) {
    let features = zip(other.features.keys, other.slots).map { index(of: $0, slot: $1) }
    return (features, contextRegister.add(other.contextRegister))
  }
}
