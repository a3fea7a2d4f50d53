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

  /// The number of cells.
  var count: Int { cells.count }

  /// Adds a decision.
  mutating func add(
    _ row: EvaluationRow, _ logged: LoggedProbabilities?, _ situations: SituationRegister
  ) {
    let key = Self.key(row)
    let index: Int
    if let found = known[key] {
      index = found
    } else {
      index = cell(parts(row, situations))
      known[key] = index
    }
    cells[index].add(row, logged)
  }

  /// Returns the shares in situations like that of a decision.
  func shares(_ row: EvaluationRow, _ situations: SituationRegister) -> ChoiceShares {
    let index = known[Self.key(row)] ?? indices[parts(row, situations)]
    return index.map { cells[$0] } ?? ChoiceShares()
  }

  /// Adds all decisions of another table of the same log.
  mutating func merge(_ other: ShareTable) {
    for (parts, index) in other.indices { cells[cell(parts)].merge(other.cells[index]) }
    for (key, index) in other.known where known[key] == nil {
      // The parts of a cell are found by its index there.
      known[key] = indices[other.parts(ofCell: index)]
    }
  }

  private mutating func cell(_ parts: [UInt32]) -> Int {
    if let index = indices[parts] { return index }
    indices[parts] = cells.count
    cells.append(ChoiceShares())
    return cells.count - 1
  }

  private func parts(_ row: EvaluationRow, _ situations: SituationRegister) -> [UInt32] {
    [row.place, UInt32(clamping: situations.list(of: row.situation))]
      + attributes.map { UInt32(clamping: situations.value($0, of: row.situation)) }
  }

  private static func key(_ row: EvaluationRow) -> UInt64 {
    UInt64(row.place) << 32 | UInt64(row.situation)
  }
}
