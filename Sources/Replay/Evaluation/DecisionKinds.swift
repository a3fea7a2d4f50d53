/// Counts decisions that differ in nothing but their unit, time and reward.
///
/// What depends on nothing else is computed once for each kind of decision, of which most logs have few. The table has
/// room for ``limit`` kinds: when it is full, its owner takes the counts and empties it.
struct DecisionKinds: Sendable {
  /// The most kinds that are kept.
  static let limit = 1 << 14

  /// What the decisions of a kind have in common.
  private struct Kind: Hashable {
    var place: UInt32
    var variant: UInt32
    var situation: UInt32
    var probabilities: UInt32?
    var logger: UInt32
    var fold: Int
    var propensity: Double

    func hash(into hasher: inout Hasher) {
      // Other fields rarely distinguish kinds that agree in these.
      let code = UInt64(situation) << 32 | UInt64(variant) &* 0x9E37_79B1
      hasher.combine(code ^ propensity.bitPattern ^ UInt64(probabilities ?? 0) << 16)
    }
  }

  /// The decisions of a kind.
  struct Count: Sendable {
    /// One of them.
    var row: EvaluationRow
    /// Their number.
    var decisions = 0
    /// The number of those with a finite reward.
    var rewarded = 0
  }

  private var numbers: [Kind: Int] = [:]
  /// The decisions of each kind, by its number.
  private(set) var counts: [Count] = []

  /// Whether there is no room for another kind.
  var isFull: Bool { counts.count >= Self.limit }

  /// Counts a decision.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - fold: The index of the reward model of its unit.
  /// - Returns: The number of its kind, which is that of ``counts`` before the call if the kind is new.
  mutating func count(_ row: EvaluationRow, fold: Int = 0) -> Int {
    let kind = Kind(
      place: row.place, variant: row.variant, situation: row.situation,
      probabilities: row.probabilities, logger: row.logger, fold: fold,
      propensity: row.propensity)
    let number = numbers[kind] ?? insert(kind, row)
    counts[number].decisions += 1
    if row.reward.isFinite { counts[number].rewarded += 1 }
    return number
  }

  private mutating func insert(_ kind: Kind, _ row: EvaluationRow) -> Int {
    numbers[kind] = counts.count
    counts.append(Count(row: row))
    return counts.count - 1
  }

  /// Forgets all kinds.
  mutating func removeAll() {
    numbers.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
