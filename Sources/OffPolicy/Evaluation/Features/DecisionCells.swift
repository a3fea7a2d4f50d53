internal import Bandits
internal import Events
internal import Replay
internal import Specifications

/// The cells of a decision and one of its choices, for each attribute that a feature specification reads. The cell of a
/// distinct value is made once.
///
/// - Complexity: O(attributes) per row on average; memory grows with the number of distinct values.
struct DecisionCells: Sendable {
  /// Where the value of an attribute is.
  private enum Place: Sendable {
    case context(Int)
    case features(Int)
    case variant
    case slot
  }

  private let places: [Place]
  /// By attribute, then by the index of its value plus one, the cells that are known; of attributes of variants none.
  private var known: [[FeatureCell?]]
  /// By attribute, the cells of attributes of variants.
  private var ofVariants: [[AttributeValue: FeatureCell]]
  /// The cells of the most recent row.
  private(set) var row: [FeatureCell]

  /// Creates cells for the attributes of a specification.
  ///
  /// - Parameters:
  ///   - specification: The specification.
  ///   - attributes: The attributes of the context in the situations.
  ///   - variantFeatures: The attributes of variants in the situations.
  init(_ specification: FeatureSpecification, attributes: [String], variantFeatures: [String]) {
    places = specification.sources.map { source in
      switch source {
      case .context(let name): .context(attributes.firstIndex(ofName: name) ?? -1)
      case .features(let name): .features(variantFeatures.firstIndex(ofName: name) ?? -1)
      case .variant: .variant
      case .slot: .slot
      }
    }
    known = places.map { _ in [] }
    ofVariants = places.map { _ in [:] }
    row = places.map { _ in .absent }
  }

  /// Fills ``row`` for a variant at a place, in a situation.
  ///
  /// - Parameters:
  ///   - variant: The code of the variant.
  ///   - place: The number of the place.
  ///   - situation: The index of the situation.
  ///   - source: The names.
  ///   - make: Makes the cell of a value of the attribute at a position of the specification.
  @inline(__always)
  mutating func fill(
    _ variant: UInt32, at place: UInt32, in situation: UInt32, _ source: EvaluationSource,
    _ make: (FeatureValue?, Int) -> FeatureCell
  ) {
    for index in places.indices {
      switch places[index] {
      case .context(let attribute) where attribute >= 0:
        let value = source.context.situations.value(attribute, of: situation)
        row[index] = cell(index, value) {
          make(
            source.context.situations.values(of: attribute)[value].map { FeatureValue($0) }, index)
        }
      case .features(let feature) where feature >= 0:
        row[index] = .absent
        let value = source.context.situations.feature(feature, of: variant, in: situation)
        if let value { row[index] = cell(index, value, make) }
      case .context, .features: row[index] = .absent
      case .variant:
        let number = source.numbers.number(of: variant)
        row[index] = cell(index, number) { make(source.names[variant].map { .text($0) }, index) }
      case .slot:
        row[index] = cell(index, Int(place)) { make(.text(source.places[Int(place)].slot), index) }
      }
    }
  }

  @inline(__always)
  private mutating func cell(
    _ attribute: Int, _ value: Int, _ make: () -> FeatureCell
  ) -> FeatureCell {
    if value < known[attribute].count, let cell = known[attribute][value] { return cell }
    let cell = make()
    let more = value + 1 - known[attribute].count
    if more > 0 { known[attribute].append(contentsOf: repeatElement(nil, count: more)) }
    known[attribute][value] = cell
    return cell
  }

  private mutating func cell(
    _ attribute: Int, _ value: AttributeValue, _ make: (FeatureValue?, Int) -> FeatureCell
  ) -> FeatureCell {
    if let cell = ofVariants[attribute][value] { return cell }
    let cell = make(FeatureValue(value), attribute)
    ofVariants[attribute][value] = cell
    return cell
  }
}

extension FeatureValue {
  /// Creates the value of an attribute of an event.
  init(_ value: AttributeValue) {
    self =
      switch value {
      case .number(let number): .number(number)
      case .integer(let number): .number(Double(number))
      case .text(let text): .text(text)
      case .flag(let flag): .flag(flag)
      }
  }
}
