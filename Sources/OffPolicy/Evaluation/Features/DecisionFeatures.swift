internal import Bandits
internal import Replay

/// The features of decisions of a log: a feature map, with the buffers by which one thread applies it. A copy has
/// buffers of its own.
struct DecisionFeatures: Sendable {
  /// The columns.
  let map: FeatureMap
  private let source: EvaluationSource
  private var cells: DecisionCells

  /// Creates the features of decisions.
  ///
  /// - Parameters:
  ///   - map: The columns.
  ///   - source: The log.
  init(_ map: FeatureMap, _ source: EvaluationSource) {
    self.map = map
    self.source = source
    cells = DecisionCells(
      map.specification, attributes: source.attributes, variantFeatures: source.variantFeatures)
  }

  /// Writes the features of a variant at the place and in the situation of a decision.
  ///
  /// - Complexity: O(terms), without allocation once all values have been met.
  @inline(__always)
  mutating func write(
    _ variant: UInt32, _ row: CreditedDecision, into vector: inout FeatureVector
  ) {
    let map = map
    cells.fill(variant, at: row.place, in: row.situation, source) { map.cell($0, of: $1) }
    map.write(cells.row, into: &vector)
  }

  /// Returns whether a decision or its chosen variant has a value that the survey did not see.
  mutating func isUnseen(_ row: CreditedDecision) -> Bool {
    let map = map
    cells.fill(row.variant, at: row.place, in: row.situation, source) { map.cell($0, of: $1) }
    return cells.row.indices.contains { map.isUnseen(cells.row[$0], of: $0) }
  }

  /// Writes the features of each choice; of all choices at once, as a single vector, if they are the same.
  mutating func write(
    _ variants: [UInt32], _ row: CreditedDecision, into vectors: inout [FeatureVector]
  ) {
    let count = map.specification.isShared ? min(variants.count, 1) : variants.count
    while vectors.count > count { vectors.removeLast() }
    while vectors.count < count { vectors.append(FeatureVector()) }
    for index in 0..<count { write(variants[index], row, into: &vectors[index]) }
  }
}
