internal import Replay
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

  /// Removes from an input the decisions of whole decisions of which one is missing, and marks the others that continue
  /// a whole decision.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - all: The rows of the unit.
  mutating func keepWhole(_ input: Int, of all: [CreditedDecision]) {
    var (kept, keptRows): ([LoggedDecision], [Int]) = ([], [])
    var index = 0
    while index < rows[input].count {
      let first = rows[input][index]
      let whole = all[first].whole
      let end = all[first...].firstIndex { $0.whole != whole } ?? all.count
      let found = rows[input][index...].prefix { all[$0].whole == whole }.count
      let isFirst = first == 0 || all[first - 1].whole != whole
      if isFirst, found == end - first, !all[first].isIncomplete {
        for place in index..<index + found {
          var decision = decisions[input][place]
          decision.isContinuation = place > index
          kept.append(decision)
          keptRows.append(rows[input][place])
        }
      }
      index += found
    }
    (decisions[input], rows[input]) = (kept, keptRows)
  }
}
