internal import Specifications

/// A term of a feature map, prepared for writing rows: plain numbers, so that nothing is counted or allocated per row.
struct MappedTerm: Sendable {
  /// At most this many factors.
  static let mostFactors = 4

  var kind: FeatureTerm.Kind
  var hasPresence: Bool
  var first: Int
  var size: Int
  /// The number of factors that are values, and their positions among the cells of a row.
  var valueCount: Int
  var places = InlineArray<4, Int>(repeating: 0)
  /// The factor of each value's code in the key of a combination.
  var strides = InlineArray<4, Int>(repeating: 0)
  /// The greatest code of each value, that of all unknown ones.
  var unknown = InlineArray<4, Int>(repeating: 0)
  /// The number of factors that are numbers, their positions and scales.
  var numberCount: Int
  var numbers = InlineArray<4, Int>(repeating: 0)
  var scales = InlineArray<4, TermFit.Scale>(repeating: TermFit.Scale())
  /// Where the columns of the keys begin in the table; −1 if they are in a dictionary.
  var table = -1
  /// Which dictionary has the columns.
  var dictionary = 0
  /// The column of all other keys, −1 for none.
  var others: Int32

  /// The product of the numbers; nil if one is absent.
  @inline(__always)
  func product(_ row: borrowing Span<FeatureCell>) -> Double? {
    var value = 1.0
    for factor in 0..<numberCount {
      let number = row[numbers[factor]].number
      guard !number.isNaN else { return nil }
      value = min(max(value * scales[factor].value(number), -1e100), 1e100)
    }
    return value
  }

  /// The combined hash of the values; nil if one is absent.
  @inline(__always)
  func hash(_ row: borrowing Span<FeatureCell>) -> UInt64? {
    var hash: UInt64 = 0
    for factor in 0..<valueCount {
      guard row[places[factor]].code > 0 else { return nil }
      hash = FeatureHash.combine(hash, row[places[factor]].hash)
    }
    return hash
  }

  /// The key of the combination of values; nil if one is absent.
  @inline(__always)
  func key(_ row: borrowing Span<FeatureCell>) -> Int? {
    var key = 0
    for factor in 0..<valueCount {
      let code = Int(row[places[factor]].code)
      guard code > 0 else { return nil }
      key &+= strides[factor] &* min(code, unknown[factor])
    }
    return key
  }
}

/// The terms of a feature map with the columns of their values.
struct MappedTerms: Sendable {
  private var terms: [MappedTerm] = []
  /// The column of each key of each term, −1 for none.
  private var table: [Int32] = []
  /// The columns of the keys that have their own, of terms with too many keys for the table.
  private var dictionaries: [[Int: Int32]] = []

  /// The maximum number of keys of a term in the table.
  private static let mostKeys = 1 << 18

  /// Adds a term whose columns begin with `first`.
  mutating func append(
    _ term: FeatureTerm, _ fit: TermFit, _ sources: [FeatureSource], _ codes: [ValueCodes],
    first: Int
  ) throws(SpecificationError) {
    guard term.categories.count <= MappedTerm.mostFactors,
      term.numbers.count <= MappedTerm.mostFactors
    else { throw SpecificationError("the feature \(term) has too many factors") }
    var mapped = MappedTerm(
      kind: term.kind, hasPresence: fit.hasPresence, first: first, size: term.limit,
      valueCount: term.categories.count, numberCount: term.numbers.count,
      others: fit.hasOthers ? Int32(first + fit.values.count) : -1)
    for (factor, number) in term.numbers.enumerated() {
      mapped.numbers[factor] = sources.firstIndex(of: number.source) ?? 0
      mapped.scales[factor] = fit.scales[factor]
    }
    var keys = 1
    for (factor, source) in term.categories.enumerated() {
      let place = sources.firstIndex(of: source) ?? 0
      mapped.places[factor] = place
      mapped.strides[factor] = keys
      mapped.unknown[factor] = codes[place].count + 1
      let (product, isOver) = keys.multipliedReportingOverflow(by: codes[place].count + 2)
      guard !isOver else {
        throw SpecificationError("the feature \(term) has too many combinations; write hash(...)")
      }
      keys = product
    }
    if term.kind == .oneHot || term.kind == .cross { fill(&mapped, fit, codes, keys) }
    terms.append(mapped)
  }

  /// Stores the columns of a term's values.
  private mutating func fill(
    _ term: inout MappedTerm, _ fit: TermFit, _ codes: [ValueCodes], _ keys: Int
  ) {
    if keys <= Self.mostKeys {
      term.table = table.count
      table += [Int32](repeating: term.others, count: keys)
    } else {
      term.dictionary = dictionaries.count
      dictionaries.append([:])
    }
    for (offset, value) in fit.values.enumerated() {
      var key = 0
      for (factor, text) in value.enumerated() {
        key += term.strides[factor] * Int(codes[term.places[factor]].known(text) ?? 0)
      }
      let column = Int32(term.first + offset)
      if term.table >= 0 {
        table[term.table + key] = column
      } else {
        dictionaries[term.dictionary][key] = column
      }
    }
  }

  /// Appends the features of a row.
  @inline(__always)
  func write(_ row: [FeatureCell], into vector: inout FeatureVector) {
    let (cells, terms, table) = (row.span, terms.span, table.span)
    for index in terms.indices {
      switch terms[index].kind {
      case .number:
        guard let value = terms[index].product(cells) else { continue }
        vector.append(terms[index].first, value)
        if terms[index].hasPresence { vector.append(terms[index].first &+ 1, 1) }
      case .oneHot, .cross:
        guard let key = terms[index].key(cells) else { continue }
        let start = terms[index].table
        let column = start >= 0 ? table[start &+ key] : column(key, terms[index])
        guard column >= 0, let value = terms[index].product(cells) else { continue }
        vector.append(Int(column), value)
      case .hash:
        guard let hash = terms[index].hash(cells) else { continue }
        vector.append(
          terms[index].first &+ FeatureHash.place(hash, below: terms[index].size),
          FeatureHash.sign(hash))
      }
    }
  }

  @inline(never)
  private func column(_ key: Int, _ term: MappedTerm) -> Int32 {
    dictionaries[term.dictionary][key] ?? term.others
  }
}
