internal import Statistics

/// A term of a feature map, prepared for writing rows.
struct MappedTerm: Sendable {
  private let kind: FeatureTerm.Kind
  /// The positions of the factors among the cells of a row.
  private let places: [Int]
  private let numbers: [Int]
  private let scales: [TermFit.Scale]
  private let hasPresence: Bool
  private let first: Int
  private let size: Int
  /// The factor of each value's code in the key of a combination.
  private let strides: [Int]
  /// The greatest code of each value, that of all unknown ones.
  private let unknown: [Int]
  /// The column of each key, −1 for none; empty if there are too many keys.
  private var table: [Int32] = []
  /// The column of the keys that have their own, if there is no table.
  private var columns: [Int: Int32] = [:]
  /// The column of all other keys, −1 for none.
  private let others: Int32

  /// The maximum number of keys in a table.
  private static let mostKeys = 1 << 18

  init(
    _ term: FeatureTerm, _ fit: TermFit, _ sources: [FeatureSource], _ codes: [ValueCodes],
    first: Int
  ) throws(SpecificationError) {
    (kind, self.first, scales, hasPresence) = (term.kind, first, fit.scales, fit.hasPresence)
    size = term.limit
    places = term.categories.compactMap { sources.firstIndex(of: $0) }
    numbers = term.numbers.compactMap { sources.firstIndex(of: $0.source) }
    unknown = places.map { codes[$0].count + 1 }
    others = fit.hasOthers ? Int32(first + fit.values.count) : -1
    let (strides, keys) = try Self.strides(unknown, term)
    self.strides = strides
    guard kind == .oneHot || kind == .cross else { return }
    if keys <= Self.mostKeys { table = [Int32](repeating: others, count: keys) }
    for (offset, value) in fit.values.enumerated() {
      var key = 0
      for (level, text) in value.enumerated() {
        key += strides[level] * Int(codes[places[level]].known(text) ?? 0)
      }
      if table.isEmpty {
        columns[key] = Int32(first + offset)
      } else {
        table[key] = Int32(first + offset)
      }
    }
  }

  private static func strides(
    _ unknown: [Int], _ term: FeatureTerm
  ) throws(SpecificationError) -> ([Int], keys: Int) {
    var strides: [Int] = []
    var keys = 1
    for count in unknown {
      strides.append(keys)
      let (product, isOver) = keys.multipliedReportingOverflow(by: count + 1)
      guard !isOver else {
        throw SpecificationError("the feature \(term) has too many combinations; write hash(...)")
      }
      keys = product
    }
    return (strides, keys)
  }

  /// Appends the features of a row.
  @inline(__always)
  func write(_ row: [FeatureCell], into vector: inout FeatureVector) {
    switch kind {
    case .number:
      let number = row[numbers[0]].number
      guard !number.isNaN else { return }
      vector.append(first, scales[0].value(number))
      if hasPresence { vector.append(first &+ 1, 1) }
    case .oneHot, .cross: writeValue(row, into: &vector)
    case .hash:
      var hash: UInt64 = 0
      for place in places {
        guard row[place].code > 0 else { return }
        hash = FeatureHash.combine(hash, row[place].hash)
      }
      vector.append(first &+ FeatureHash.place(hash, below: size), FeatureHash.sign(hash))
    }
  }

  @inline(__always)
  private func writeValue(_ row: [FeatureCell], into vector: inout FeatureVector) {
    var key = 0
    for level in places.indices {
      let code = Int(row[places[level]].code)
      guard code > 0 else { return }
      key &+= strides[level] &* min(code, unknown[level])
    }
    let column = table.isEmpty ? columns[key] ?? others : table[key]
    guard column >= 0 else { return }
    var value = 1.0
    for place in numbers.indices {
      let number = row[numbers[place]].number
      guard !number.isNaN else { return }
      value = min(max(value * scales[place].value(number), -1e100), 1e100)
    }
    vector.append(Int(column), value)
  }
}
