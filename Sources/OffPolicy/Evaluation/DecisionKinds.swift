internal import Replay

/// Counts decisions by kind: those that differ in nothing but their unit, time, propensity and reward. Most logs have
/// few kinds, and what depends on nothing else is computed once for each; propensities are counted within kinds,
/// because a logging policy that learns gives most decisions one of their own.
///
/// There is room for ``limit`` kinds, and as many different propensities: when one of the tables is full, its owner
/// takes the counts and empties it.
struct DecisionKinds: Sendable {
  /// The most kinds that are kept, and the most propensities.
  static let limit = 1 << 14

  /// The common part of the decisions of a kind.
  private struct Kind: Equatable {
    var place: UInt32
    var variant: UInt32
    var situation: UInt32
    var probabilities: UInt32?
    var logger: UInt32
    var fold: Int
    /// The propensity; 0 unless kinds are told apart by it.
    var propensity: Double

    @inline(__always)
    var code: Int {
      // Other fields rarely distinguish kinds that agree in these.
      IndexTable.code(
        UInt64(situation) << 32 | UInt64(variant),
        propensity.bitPattern ^ UInt64(probabilities ?? 0) << 16 ^ UInt64(place) << 48)
    }
  }

  /// The decisions of a kind.
  struct Count: Sendable {
    /// One of them.
    var row: CreditedDecision
    /// Their number.
    var decisions = 0
  }

  /// The decisions of a kind that have the same propensity.
  struct Weighted: Sendable {
    /// The number of the kind.
    var kind: Int
    var propensity: Double
    /// Their number; 0 for a free entry of the table.
    var decisions = 0
    /// The number of those with a finite reward.
    var rewarded = 0
  }

  private let distinguishesPropensities: Bool
  private var kinds: [Kind] = []
  private var kindTable = IndexTable()
  /// The decisions of each kind, by its number.
  private(set) var counts: [Count] = []
  /// An open-addressing hash table, at most half full.
  private var table: [Weighted] = []
  private var weightedCount = 0

  /// Creates counts of nothing.
  ///
  /// - Parameter distinguishesPropensities: Whether decisions of different propensities are of different kinds.
  init(distinguishingPropensities distinguishesPropensities: Bool = false) {
    self.distinguishesPropensities = distinguishesPropensities
  }

  /// Whether there may be no room for a number of decisions of other kinds or propensities; one that is greater than
  /// the limit has room in empty tables.
  func isFull(for rows: Int = 1) -> Bool {
    counts.count + rows > Self.limit || weightedCount + rows > Self.limit
  }

  /// Whether it is the kinds that have no room, and not just the propensities.
  func lacksKinds(for rows: Int) -> Bool { counts.count + rows > Self.limit }

  /// The decisions of each kind and propensity.
  var weighted: some Sequence<Weighted> { table.lazy.filter { $0.decisions > 0 } }

  /// Counts decisions.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - fold: The index of the reward model of its unit.
  ///   - times: The number of such decisions, with the same reward.
  /// - Returns: The number of its kind, which is that of ``counts`` before the call if the kind is new.
  mutating func count(_ row: CreditedDecision, fold: Int = 0, times: Int = 1) -> Int {
    let number = number(of: row, fold: fold)
    counts[number].decisions += times
    let place = place(number, row.propensity)
    if table[place].decisions == 0 {
      table[place] = Weighted(kind: number, propensity: row.propensity)
      weightedCount += 1
    }
    table[place].decisions += times
    if row.reward.isFinite { table[place].rewarded += times }
    if weightedCount * 2 > table.count { grow() }
    return number
  }

  private mutating func number(of row: CreditedDecision, fold: Int) -> Int {
    let kind = Kind(
      place: row.place, variant: row.variant, situation: row.situation,
      probabilities: row.probabilities, logger: row.value, fold: fold,
      propensity: distinguishesPropensities ? row.propensity : 0)
    let location = kindTable.find(kind.code) { kinds[$0] == kind }
    if let number = location.index { return number }
    kinds.append(kind)
    counts.append(Count(row: row))
    kindTable.add(at: location)
    if kindTable.isFull { kindTable.grow(kinds.lazy.map(\.code)) }
    return kinds.count - 1
  }

  /// Returns the entry of a kind and propensity in the table, or the free one where it belongs.
  private mutating func place(_ kind: Int, _ propensity: Double) -> Int {
    if table.isEmpty { clearTable(1 << 6) }
    var place = IndexTable.code(propensity.bitPattern, UInt64(kind)) & (table.count - 1)
    while table[place].decisions != 0,
      table[place].kind != kind || table[place].propensity != propensity
    {
      place = (place + 1) & (table.count - 1)
    }
    return place
  }

  private mutating func clearTable(_ count: Int) {
    table.removeAll(keepingCapacity: true)
    table.append(contentsOf: repeatElement(Weighted(kind: 0, propensity: 0), count: count))
    weightedCount = 0
  }

  private mutating func grow() {
    let old = table
    clearTable(old.count * 2)
    for entry in old where entry.decisions > 0 {
      table[place(entry.kind, entry.propensity)] = entry
      weightedCount += 1
    }
  }

  /// Forgets all propensities, whose counts are then those of further decisions.
  mutating func removeWeighted() {
    if weightedCount > 0 { clearTable(table.count) }
  }

  /// Forgets all kinds.
  mutating func removeAll() {
    removeWeighted()
    kindTable.removeAll()
    kinds.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
