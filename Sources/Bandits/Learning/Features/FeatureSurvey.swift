public import Specifications
internal import Statistics

/// The first pass over the data of a feature specification: it counts values, and finds means and deviations.
///
/// Parts merge exactly, and neither their order nor that of the rows matters. Which rows are surveyed is the caller's
/// choice: those of the chosen variants, or of all choices.
///
/// - Complexity: O(1) per row and term; memory grows with the number of distinct values and combinations.
public struct FeatureSurvey: Sendable {
  /// The maximum number of distinct values of an attribute, and of combinations in a cross.
  static let mostValues = 1_000_000

  /// The specification.
  public let specification: FeatureSpecification
  /// The number of rows.
  public private(set) var count = 0
  private var values: [ValueCodes]
  private let isCounted: [Bool]
  /// The moments of the present numbers of each source.
  private var moments: [Moments]
  /// The sources whose moments are needed.
  private let numeric: [Int]
  private var terms: [TermSurvey?]
  private var largeSources: Set<Int> = []

  /// Creates a survey without rows.
  public init(_ specification: FeatureSpecification) {
    self.specification = specification
    let sources = specification.sources
    values = sources.map { _ in ValueCodes() }
    isCounted = sources.map(specification.counts)
    moments = sources.map { _ in Moments() }
    let numbers = specification.terms.flatMap(\.numbers).map(\.source)
    numeric = sources.indices.filter { numbers.contains(sources[$0]) }
    terms = specification.terms.map {
      $0.kind == .oneHot || $0.kind == .cross ? TermSurvey($0, sources) : nil
    }
  }

  /// Returns the cell of a value, for the rows of this survey only.
  ///
  /// - Parameters:
  ///   - value: The value; nil if absent.
  ///   - source: The position of the attribute among the ``FeatureSpecification/sources``.
  /// - Returns: The cell.
  /// - Complexity: O(length of the text), so a caller should keep the cells of repeated values.
  public mutating func cell(_ value: FeatureValue?, of source: Int) -> FeatureCell {
    guard let value, !value.isMissing else { return .absent }
    var cell = FeatureCell(number: value.number, hash: 0, code: 1)
    guard isCounted[source] else { return cell }
    let text = value.text
    if values[source].count >= Self.mostValues, values[source].known(text) == nil {
      largeSources.insert(source)
      return cell
    }
    cell.code = values[source].code(text)
    return cell
  }

  /// Counts a row.
  ///
  /// - Parameter row: A cell for each of the ``FeatureSpecification/sources``; a row with fewer is not counted.
  public mutating func add(_ row: [FeatureCell]) {
    guard row.count >= values.count else { return }
    count += 1
    for place in numeric where !row[place].number.isNaN { moments[place].add(row[place].number) }
    for term in terms.indices { terms[term]?.add(row) }
  }

  /// Adds the rows of another survey of the same specification; cells of that one are not valid here.
  ///
  /// - Precondition: The specifications are equal.
  public mutating func merge(_ other: FeatureSurvey) {
    precondition(specification == other.specification, "surveys of different features")
    count += other.count
    largeSources.formUnion(other.largeSources)
    var codes: [[Int32]] = []
    for source in values.indices {
      codes.append([0] + other.values[source].texts.map { values[source].code($0) })
      if values[source].count > Self.mostValues { largeSources.insert(source) }
      moments[source].merge(other.moments[source])
    }
    for term in terms.indices {
      if let addend = other.terms[term] { terms[term]?.merge(addend, codes) }
    }
  }

  /// Returns what the map needs to know of each term.
  ///
  /// - Throws: `SpecificationError` if an attribute or a cross has too many values.
  func fits() throws(SpecificationError) -> [TermFit] {
    var fits: [TermFit] = []
    for (term, survey) in zip(specification.terms, terms) {
      let isLarge =
        survey?.isTooLarge == true || survey?.places.contains(where: largeSources.contains) == true
      guard !isLarge else {
        throw SpecificationError(
          "the feature \(term) has more than \(Self.mostValues) values; write hash(...,SIZE) instead"
        )
      }
      var fit = TermFit()
      survey?.fit(&fit, term.limit, values)
      for number in term.numbers { fit.scales.append(scale(number)) }
      if term.kind == .number, let place = place(term.numbers[0].source) {
        fit.hasPresence = moments[place].count < count
      }
      fits.append(fit)
    }
    return fits
  }

  private func place(_ source: FeatureSource) -> Int? {
    specification.sources.firstIndex(of: source)
  }

  private func scale(_ number: FeatureTerm.Number) -> TermFit.Scale {
    guard number.isStandardized, let place = place(number.source),
      let mean = moments[place].mean
    else { return TermFit.Scale() }
    let size = Double(moments[place].count)
    let variance = (moments[place].variance ?? 0) * (size - 1) / size
    let isVaried = variance > 0 && variance.isFinite
    return TermFit.Scale(mean: mean, deviation: isVaried ? variance.squareRoot() : 1)
  }
}

extension FeatureSurvey {
  /// Writes the survey. Equal surveys have equal bytes.
  public func write(to writer: inout StateWriter) {
    writer.write(tally: count)
    for source in values.indices { writer.write(byte: largeSources.contains(source) ? 1 : 0) }
    let codes = values.map { $0.write(to: &writer) }
    for place in numeric { moments[place].write(to: &writer) }
    for term in terms { term?.write(to: &writer, codes) }
  }

  /// Reads a survey of a specification.
  ///
  /// - Throws: `StateError` if the bytes are not such a survey.
  public init(
    from reader: inout StateReader, of specification: FeatureSpecification
  ) throws(StateError) {
    self.init(specification)
    count = try reader.readTally()
    for source in values.indices where try reader.readByte() == 1 { largeSources.insert(source) }
    for source in values.indices { values[source] = try ValueCodes(from: &reader) }
    for place in numeric { moments[place] = try Moments(from: &reader) }
    for term in terms.indices { try terms[term]?.read(from: &reader, values, rows: count) }
  }
}
