internal import Statistics

/// The decisions of one unit as the estimators of a policy see them, for each of the ``PolicyTally/inputs``.
struct UnitDecisions: Sendable {
  /// For each input the decisions.
  private(set) var decisions: [[LoggedDecision]] = []
  /// For each input and decision, the index of its row among those of the unit.
  private(set) var rows: [[Int]] = []

  /// Removes all decisions.
  mutating func removeAll(inputs: Int) {
    guard decisions.count == inputs else {
      decisions = Array(repeating: [], count: inputs)
      rows = Array(repeating: [], count: inputs)
      return
    }
    for input in 0..<inputs {
      decisions[input].removeAll(keepingCapacity: true)
      rows[input].removeAll(keepingCapacity: true)
    }
  }

  /// Adds the decision of a row, which is after those added before.
  mutating func append(_ decision: LoggedDecision, row: Int, to input: Int) {
    decisions[input].append(decision)
    rows[input].append(row)
  }

  /// Returns the decisions of the rows that both instances have for an input.
  func paired(
    with other: UnitDecisions, _ input: Int
  ) -> (own: [LoggedDecision], others: [LoggedDecision]) {
    guard rows[input] != other.rows[input] else {
      return (decisions[input], other.decisions[input])
    }
    var (own, others): ([LoggedDecision], [LoggedDecision]) = ([], [])
    var (a, b) = (0, 0)
    while a < rows[input].count, b < other.rows[input].count {
      let (row, otherRow) = (rows[input][a], other.rows[input][b])
      if row == otherRow {
        own.append(decisions[input][a])
        others.append(other.decisions[input][b])
      }
      if row <= otherRow { a += 1 }
      if otherRow <= row { b += 1 }
    }
    return (own, others)
  }
}
