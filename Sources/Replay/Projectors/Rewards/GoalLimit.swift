/// How often each goal of a unit was counted at each place: an attribution may have a limit.
struct GoalLimit: Sendable {
  private var counts: [(goal: UInt32, place: UInt32, count: Int)] = []

  /// Forgets what was counted, for the next unit.
  mutating func reset() { counts.removeAll(keepingCapacity: true) }

  /// Whether the goal may count once more for the unit at the place; it is counted.
  ///
  /// - Parameters:
  ///   - goal: Code of the goal.
  ///   - place: Number of the place.
  ///   - most: How often a goal may count there; nil for ever.
  /// - Returns: Whether it counts.
  mutating func admits(_ goal: UInt32, _ place: UInt32, _ most: Int?) -> Bool {
    guard let most else { return true }
    if let index = counts.firstIndex(where: { $0.goal == goal && $0.place == place }) {
      counts[index].count += 1
      return counts[index].count <= most
    }
    counts.append((goal, place, 1))
    return most >= 1
  }
}
