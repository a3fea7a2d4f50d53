public import Specifications

/// The columns of a feature specification after its survey: it turns a row of attributes into numbers.
///
/// Column 0 is the intercept; the columns of the terms follow in order. A map is a constant; it has no state that
/// depends on the rows it turns.
public struct FeatureMap: Sendable {
  /// The values, or combinations, of a term that share a column because they are not among the most frequent.
  public struct OtherValues: Sendable, Hashable {
    /// The term, such as `one-hot(country,50)`.
    public var term: String
    /// The number of different values.
    public var values: Int
    /// The number of surveyed rows with one of them.
    public var rows: Int
  }

  /// The specification.
  public let specification: FeatureSpecification
  /// The number of columns, at least 1.
  public let columnCount: Int
  private let fits: [TermFit]
  private let terms: MappedTerms
  /// The first column of each term.
  private let starts: [Int]
  private let codes: [ValueCodes]
  private let isHashed: [Bool]
  /// By attribute, whether a term has columns for the values that the survey saw, and none for others.
  private let isStrict: [Bool]

  /// Creates the map of a survey.
  ///
  /// - Throws: `SpecificationError` if an attribute or a cross has more than a million values, or there are more than
  ///   4 million columns.
  public init(_ survey: FeatureSurvey) throws(SpecificationError) {
    try self.init(survey.specification, survey.fits())
  }

  init(
    _ specification: FeatureSpecification, _ fits: [TermFit]
  ) throws(SpecificationError) {
    self.specification = specification
    self.fits = fits
    let sources = specification.sources
    var codes = sources.map { _ in ValueCodes() }
    for (term, fit) in zip(specification.terms, fits) {
      for (place, source) in term.categories.enumerated() {
        guard let index = sources.firstIndex(of: source) else { continue }
        for value in fit.values { _ = codes[index].code(value[place]) }
      }
    }
    self.codes = codes
    isHashed = sources.map(specification.hashes)
    isStrict = sources.map { source in
      zip(specification.terms, fits).contains { term, fit in
        term.categories.contains(source) && !fit.values.isEmpty && !fit.hasOthers
      }
    }
    var terms = MappedTerms()
    var starts: [Int] = []
    var next = 1
    for (term, fit) in zip(specification.terms, fits) {
      starts.append(next)
      try terms.append(term, fit, sources, codes, first: next)
      next += fit.columns(term)
    }
    guard next <= 1 << 22 else {
      throw SpecificationError("the features have \(next) columns; \(1 << 22) are the most")
    }
    (self.terms, self.starts, columnCount) = (terms, starts, next)
  }

  /// Returns the cell of a value, for the rows of this map only.
  ///
  /// - Parameters:
  ///   - value: The value; nil if absent. A value that the survey did not see counts as one of the others of a term, if
  ///     it has any; otherwise its columns are zero.
  ///   - source: The position of the attribute among the ``FeatureSpecification/sources``.
  /// - Returns: The cell.
  /// - Complexity: O(length of the text), so a caller should keep the cells of repeated values.
  public func cell(_ value: FeatureValue?, of source: Int) -> FeatureCell {
    guard let value, !value.isMissing else { return .absent }
    var cell = FeatureCell(number: value.number, hash: 0, code: 1)
    guard isHashed[source] || codes[source].count > 0 else { return cell }
    let text = value.text
    cell.code = codes[source].known(text) ?? Int32(codes[source].count + 1)
    if isHashed[source] { cell.hash = FeatureHash.of(text) }
    return cell
  }

  /// Returns whether a value is one that the survey did not see, of an attribute for whose values a term has columns
  /// and none for others.
  ///
  /// - Parameters:
  ///   - value: The value; nil if absent.
  ///   - source: The position of the attribute among the ``FeatureSpecification/sources``.
  /// - Returns: Whether it is such a value.
  public func isUnseen(_ value: FeatureValue?, of source: Int) -> Bool {
    guard isStrict[source], let value, !value.isMissing else { return false }
    return codes[source].known(value.text) == nil
  }

  /// Returns whether a cell of this map is that of such a value.
  public func isUnseen(_ cell: FeatureCell, of source: Int) -> Bool {
    isStrict[source] && Int(cell.code) > codes[source].count
  }

  /// Writes the features of a row, replacing what the vector held; without allocation once it has grown.
  ///
  /// - Parameters:
  ///   - row: A cell of this map for each of the ``FeatureSpecification/sources``; one that is missing is absent.
  ///   - vector: The features by ascending column, the intercept first.
  /// - Complexity: O(number of terms).
  @inline(__always)
  public func write(_ row: [FeatureCell], into vector: inout FeatureVector) {
    vector.removeAll()
    vector.append(0, 1)
    guard row.count >= codes.count else { return }
    terms.write(row, into: &vector)
  }

  /// The terms with what the survey found and their first columns.
  var parts: [(term: FeatureTerm, fit: TermFit, first: Int)] {
    zip(zip(specification.terms, fits), starts).map { ($0.0, $0.1, $1) }
  }

  /// The values without columns of their own, of the terms that have such values.
  public var others: [OtherValues] {
    zip(specification.terms, fits).filter(\.1.hasOthers).map {
      OtherValues(term: $0.description, values: $1.otherValues, rows: $1.otherRows)
    }
  }

  /// The columns that are the same for all choices of a decision: the intercept, and those of terms without the
  /// variant.
  package var sharedColumns: [Range<Int>] {
    var shared = [0..<1]
    for (term, place) in zip(specification.terms, starts.indices) {
      let sources = term.categories + term.numbers.map(\.source)
      let end = place + 1 < starts.count ? starts[place + 1] : columnCount
      if sources.allSatisfy(\.isShared) { shared.append(starts[place]..<end) }
    }
    return shared
  }

  /// Returns the name of a column, such as `country=us`; `intercept` for column 0.
  public func name(ofColumn column: Int) -> String {
    guard let term = starts.lastIndex(where: { $0 <= column }), column < columnCount else {
      return "intercept"
    }
    return fits[term].name(column - starts[term], specification.terms[term])
  }
}

extension FeatureMap: Hashable {
  /// Whether both maps give the same columns for every row.
  public static func == (a: FeatureMap, b: FeatureMap) -> Bool {
    a.specification == b.specification && a.fits == b.fits
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(specification)
    hasher.combine(fits)
  }
}

extension FeatureMap {
  /// The map as a value, without loss.
  public var tree: JSONTree {
    .object([
      .init("specification", .text(specification.description)),
      .init("terms", .list(zip(fits, specification.terms).map { $0.tree($1) })),
    ])
  }

  /// Reads a map.
  ///
  /// - Throws: `SpecificationError` if the value is not that of a map.
  public init(_ tree: JSONTree) throws(SpecificationError) {
    let specification = try FeatureSpecification(parsing: tree.text("specification"))
    let list = try tree.list("terms")
    guard list.count == specification.terms.count else {
      throw SpecificationError(
        "there are columns of \(list.count) features instead of \(specification.terms.count)")
    }
    var fits: [TermFit] = []
    for (value, term) in zip(list, specification.terms) { fits.append(try TermFit(value, term)) }
    try self.init(specification, fits)
  }
}
