public import Statistics

/// What happened to a segment in one period.
public struct SeriesTally: Sendable, Equatable {
  /// Counted decisions.
  public var decisions = 0
  /// Units with their first counted decision for the segment.
  public var newUnits = 0
  /// Units with a counted decision for the segment.
  public var activeUnits = 0
  /// Goals credited to its decisions, whenever these were made.
  public var rewards = 0
  /// The sum of their values, exact.
  public var rewardSum = ExactSum()
  /// By how much the period changes the rewards of decisions, which are sums of goals rounded once: merged over all
  /// periods up to one, it is the moments of the reward of a decision as it was at the end of that one. For one period
  /// alone it means nothing.
  public var perDecision = Moments()
  /// Decisions whose propensity is known.
  public var decisionsWithPropensity = 0
  /// The sum of these propensities, exact.
  public var propensitySum = ExactSum()

  /// Nothing happened.
  public init() {}

  /// Whether nothing happened: no decision, and no goal.
  var isEmpty: Bool { decisions == 0 && rewards == 0 }

  mutating func merge(_ other: SeriesTally) {
    decisions += other.decisions
    newUnits += other.newUnits
    activeUnits += other.activeUnits
    rewards += other.rewards
    rewardSum.merge(other.rewardSum)
    perDecision.merge(other.perDecision)
    decisionsWithPropensity += other.decisionsWithPropensity
    propensitySum.merge(other.propensitySum)
  }

  mutating func subtract(_ other: SeriesTally) {
    decisions -= other.decisions
    newUnits -= other.newUnits
    activeUnits -= other.activeUnits
    rewards -= other.rewards
    rewardSum.subtract(other.rewardSum)
    perDecision.subtract(other.perDecision)
    decisionsWithPropensity -= other.decisionsWithPropensity
    propensitySum.subtract(other.propensitySum)
  }
}

/// Tallies by the number of their period.
struct PeriodTable: Sendable {
  private var index = CodeIndex()
  private var last: (period: Int64, place: Int) = (.min, -1)
  private(set) var tallies: [SeriesTally] = []

  /// The periods in the order of ``tallies``.
  var periods: [Int64] { index.keys.map { Int64(bitPattern: $0) } }

  /// The tallies by their periods, of those in which something happened.
  var byPeriod: [Int64: SeriesTally] {
    Dictionary(uniqueKeysWithValues: zip(periods, tallies).filter { !$1.isEmpty })
  }

  /// The place of a period in ``tallies``; it is made if it is not there.
  private mutating func place(of period: Int64) -> Int {
    if last.place >= 0, last.period == period { return last.place }
    let place = index.index(of: UInt64(bitPattern: period))
    if place == tallies.count { tallies.append(SeriesTally()) }
    last = (period, place)
    return place
  }

  mutating func change(_ period: Int64, _ change: (inout SeriesTally) -> Void) {
    let place = place(of: period)
    change(&tallies[place])
  }

  mutating func merge(_ other: PeriodTable) {
    for (place, period) in other.periods.enumerated() {
      change(period) { $0.merge(other.tallies[place]) }
    }
  }
}

/// Series by segment, and the ledger.
public struct SeriesTallies: Sendable, Equatable {
  /// For every segment with a counted decision, the tallies of the periods in which something happened.
  public var segments: [Segment: [Int64: SeriesTally]] = [:]
  /// What was read, and what of it did not count.
  public var ledger = RewardLedger()
}
