/// The ``ChoiceShares`` of all kinds of situations of a log.
///
/// - Complexity: some 200 bytes for each kind of situation, and 100 for each variant in it; a row is found in O(1) once
///   its place and situation have been met.
struct ShareTable: Sendable {
  /// The places among the attributes of situations of those that distinguish situations.
  private let attributes: [Int]
  private var indices: [[UInt32]: Int] = [:]
  private var cells: [ChoiceShares] = []
  /// By place and situation, the index of the cell.
  private var known: [UInt64: Int] = [:]

  /// Creates an empty table.
  ///
  /// - Parameter attributes: The places among the attributes of situations of those that distinguish situations.
  init(attributes: [Int]) { self.attributes = attributes }

  /// The number of kinds of situations.
  var count: Int { cells.count }

  /// Adds a decision.
  mutating func add(
    _ row: EvaluationRow, _ logged: LoggedProbabilities?, _ situations: SituationRegister
  ) {
    cells[index(row, situations)].add(row, logged)
  }

  /// Returns the shares in situations like that of a decision.
  mutating func shares(_ row: EvaluationRow, _ situations: SituationRegister) -> ChoiceShares {
    cells[index(row, situations)]
  }

  /// Adds all decisions of another table of the same log.
  mutating func merge(_ other: ShareTable) {
    for (parts, index) in other.indices { cells[cell(parts)].merge(other.cells[index]) }
  }

  private mutating func index(_ row: EvaluationRow, _ situations: SituationRegister) -> Int {
    let key = UInt64(row.place) << 32 | UInt64(row.situation)
    if let index = known[key] { return index }
    let index = cell(
      [row.place, UInt32(clamping: situations.list(of: row.situation))]
        + attributes.map { UInt32(clamping: situations.value($0, of: row.situation)) })
    known[key] = index
    return index
  }

  private mutating func cell(_ parts: [UInt32]) -> Int {
    if let index = indices[parts] { return index }
    indices[parts] = cells.count
    cells.append(ChoiceShares())
    return cells.count - 1
  }
}
