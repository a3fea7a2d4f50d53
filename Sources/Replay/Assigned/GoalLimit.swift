/// Counts the goals of a unit by code and place, up to the limit of an ``Attribution``: goals of one code never use up
/// the limit of another, nor those of one slot that of its neighbor.
///
/// Conversions are counted separately from goals, and those before the first exposure from those after it: each kind
/// has its own limit.
struct GoalLimit: Sendable {
  private struct Key: Hashable, Sendable {
    var code: UInt32
    var place: UInt32
    var isConversion: Bool
    var isBefore: Bool
  }

  private let most: Int?
  private var counts: [Key: Int] = [:]

  /// Creates the limit of an attribution.
  init(_ attribution: Attribution) { most = attribution.mostGoals }

  /// Whether there is a limit.
  var isLimited: Bool { most != nil }

  /// Forgets the goals of the current unit.
  mutating func removeAll() {
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
  }

  /// Counts a goal that would be credited at a place. It must be passed once for each place.
  ///
  /// - Parameters:
  ///   - code: The code of the goal.
  ///   - place: The number of the experiment, point and slot.
  ///   - isConversion: Whether it is a conversion.
  ///   - isBefore: Whether it was before the first exposure.
  /// - Returns: Whether the goal is within the limit.
  @inline(__always)
  mutating func admits(
    _ code: UInt32, at place: UInt32, isConversion: Bool = false, isBefore: Bool = false
  ) -> Bool {
    guard let most else { return true }
    return admits(
      Key(code: code, place: place, isConversion: isConversion, isBefore: isBefore), most)
  }

  private mutating func admits(_ key: Key, _ most: Int) -> Bool {
    guard counts[key, default: 0] < most else { return false }
    counts[key, default: 0] += 1
    return true
  }
}
