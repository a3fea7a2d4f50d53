/// The values of decisions in several dimensions, by the numbers that annotate the decisions.
struct DecisionValues: Sendable {
  private let dimensions: [Dimension]
  /// By dimension, the values of all decisions; none if annotations have the values of the only dimension.
  private let columns: [[UInt32]]
  /// For each decision the number of its combination of values.
  let combinations: [UInt32]
  /// For each combination, one of the decisions that have it.
  private var firsts: [Int]

  /// The number of combinations, each of which may be a segment of its own.
  var combinationCount: Int { firsts.count }

  init(_ dimensions: [Dimension], _ columns: [[UInt32]]) {
    (self.dimensions, self.columns) = (dimensions, columns)
    var combinations = columns.first ?? []
    for column in columns.dropFirst() {
      var pairs = CodeIndex()
      for (decision, value) in column.enumerated() {
        let pair = pairs.index(of: UInt64(combinations[decision]) << 32 | UInt64(value))
        combinations[decision] = UInt32(truncatingIfNeeded: pair)
      }
    }
    let count = (combinations.max().map { Int($0) } ?? -1) + 1
    firsts = Array(repeating: 0, count: count)
    for (decision, combination) in combinations.enumerated() {
      firsts[Int(combination)] = decision
    }
    self.combinations = combinations
  }

  /// What a projector sees in place of the number of a decision.
  enum View: Sendable {
    /// The number itself, which is a value already.
    case annotation
    /// Nothing, without a dimension.
    case none
    /// The value of the decision with the number.
    case column([UInt32])

    @inline(__always)
    subscript(_ annotation: UInt32) -> UInt32 {
      switch self {
      case .annotation: annotation
      case .none: 0
      case .column(let values): values[Int(annotation)]
      }
    }
  }

  /// Returns what a projector sees that is broken down by a dimension, or not at all.
  func view(of dimension: Dimension?) -> View {
    guard !columns.isEmpty else { return .annotation }
    return dimension.flatMap(dimensions.firstIndex).map { .column(columns[$0]) } ?? .none
  }

  /// Returns the values of all combinations in a dimension.
  func ofCombinations(_ dimension: Dimension?) -> [UInt32] {
    let view = view(of: dimension)
    return firsts.map { view[UInt32(truncatingIfNeeded: $0)] }
  }
}
