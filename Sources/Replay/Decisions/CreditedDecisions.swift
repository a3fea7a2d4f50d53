internal import EventLog
internal import Threads

/// Credited decisions in the order of ``DecisionOrder``: by time, at equal times by the hash of the unit, and within a
/// unit in the order of its history.
///
/// They are sorted in runs, in memory or in temporary files, which are merged when the decisions are visited. The order
/// does not depend on the runs.
package struct CreditedDecisions: Sendable {
  /// Decisions that are visited together: those of a place with a value of the dimension, or all.
  package struct Group: Hashable, Comparable, Sendable {
    /// The number of the place; 0 for all.
    package var place: UInt32 = 0
    /// The index of the value; 0 for all.
    package var value: UInt32 = 0

    /// All decisions.
    package static let all = Group()

    package static func < (a: Group, b: Group) -> Bool { (a.place, a.value) < (b.place, b.value) }
  }

  private let runs: [SortedDecisions]
  private let sorting: DecisionSorting

  /// Sorts decisions that were collected.
  ///
  /// - Throws: `LogError` if a temporary file failed.
  package init(_ part: consuming DecisionPile, jobs: Int) throws {
    if let failure = part.failure { throw failure }
    let piles = Monitor(part.takeHeld().map { Optional($0) })
    let count = piles.withLock { $0.count }
    let sorting = part.sorting
    self.sorting = sorting
    let held = try Workers.map(count, jobs: jobs) { number in
      // Sorted in place: the pile is not shared with anything.
      var pile = piles.withLock { exchange(&$0[number], with: nil) } ?? []
      return try SortedDecisions(&pile, sorting)
    }
    runs = part.spilled + held
  }

  /// Calls the closure with the decisions of a group in order.
  ///
  /// - Throws: `LogError` if a temporary file cannot be read back.
  /// - Complexity: O(decisions · log(runs)).
  package func forEach(of group: Group = .all, _ body: (CreditedDecision) -> Void) throws {
    var cursors: [DecisionCursor] = []
    for run in runs {
      guard let range = run.ranges[group] else { continue }
      cursors.append(try DecisionCursor(run, range))
    }
    guard cursors.count > 1 else {
      while !cursors.isEmpty, let decision = cursors[0].decision {
        body(decision)
        try cursors[0].advance()
      }
      return
    }
    cursors.sort(by: sorting.isBefore)
    while let decision = cursors[0].decision {
      body(decision)
      try cursors[0].advance()
      sink(&cursors)
    }
  }

  /// Moves the first of cursors that are a heap but for it to where it belongs.
  private func sink(_ cursors: inout [DecisionCursor]) {
    var place = 0
    while true {
      var first = place
      for child in 2 * place + 1...2 * place + 2
      where child < cursors.count && sorting.isBefore(cursors[child], cursors[first]) {
        first = child
      }
      guard first != place else { return }
      cursors.swapAt(first, place)
      place = first
    }
  }

  /// Returns all decisions in order, if they are one group.
  ///
  /// - Throws: `LogError` if a temporary file cannot be read back.
  package func all() throws -> [CreditedDecision] {
    var decisions: [CreditedDecision] = []
    try forEach { decisions.append($0) }
    return decisions
  }
}
