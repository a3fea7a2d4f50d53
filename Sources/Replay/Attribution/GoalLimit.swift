/// Counts how many goals of a unit count in each experiment, whatever their codes, points and slots, up to the limit of an
/// ``Attribution``.
///
/// Conversions are counted apart from goals: each kind has a limit of its own.
struct GoalLimit: Sendable {
  private struct Count: Sendable {
    var experiment: UInt32
    var goals: Int
    /// Where the last goal that asked stands in the history, and the answer.
    var last: Int
    var isAdmitted: Bool
  }

  private let most: Int?
  private var counts: [Count] = []

  /// The limit of an attribution.
  init(_ attribution: Attribution) { most = attribution.mostGoals }

  /// Forgets the goals of a unit.
  mutating func removeAll() {
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
  }

  /// Counts a goal that would be credited in an experiment. One that asks again, for another place of the experiment, is
  /// counted once and gets the same answer.
  ///
  /// - Parameters:
  ///   - index: Where the goal stands in the history; goals ask in order.
  ///   - experiment: Code of the experiment.
  /// - Returns: Whether it is within the limit.
  @inline(__always)
  mutating func admits(goalAt index: Int, in experiment: UInt32) -> Bool {
    guard let most else { return true }
    return admits(index, experiment, most)
  }

  private mutating func admits(_ index: Int, _ experiment: UInt32, _ most: Int) -> Bool {
    guard let place = counts.firstIndex(where: { $0.experiment == experiment }) else {
      counts.append(
        Count(experiment: experiment, goals: 1, last: index, isAdmitted: most >= 1))
      return most >= 1
    }
    if counts[place].last != index {
      counts[place].goals += 1
      counts[place].last = index
      counts[place].isAdmitted = counts[place].goals <= most
    }
    return counts[place].isAdmitted
  }
}
