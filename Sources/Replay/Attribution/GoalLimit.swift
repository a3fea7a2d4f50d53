/// Counts the goals of a unit in each experiment, whatever their codes, points and slots, up to the limit of an
/// ``Attribution``.
///
/// Conversions are counted separately from goals: each kind has its own limit.
struct GoalLimit: Sendable {
  private struct Count: Sendable {
    var experiment: UInt32
    var goals: Int
    /// The index in the history of the most recently counted goal, and whether it was admitted.
    var last: Int
    var isAdmitted: Bool
  }

  private let most: Int?
  private var counts: [Count] = []

  /// Creates the limit of an attribution.
  init(_ attribution: Attribution) { most = attribution.mostGoals }

  /// Forgets the goals of the current unit.
  mutating func removeAll() {
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
  }

  /// Counts a goal that would be credited in an experiment. A goal that is passed again, for another place of the
  /// experiment, is counted once and gets the same answer.
  ///
  /// - Parameters:
  ///   - index: The index of the goal in the history; goals must be passed in order.
  ///   - experiment: The code of the experiment.
  /// - Returns: Whether the goal is within the limit.
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
