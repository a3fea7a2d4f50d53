public import Events
public import Specifications
public import Statistics

/// The activity of a segment in one period.
public struct SeriesTally: Sendable, Equatable {
  /// Counted decisions.
  public var decisions = 0
  /// Units whose first counted decision for the segment is in the period.
  public var newUnits = 0
  /// Units with a counted decision for the segment in the period.
  public var activeUnits = 0
  /// Goals credited to its decisions, whenever those were made.
  public var rewards = 0
  /// The exact sum of their values.
  public var rewardSum = ExactSum()
  /// The change in the rewards of decisions, which are sums of goals rounded once: merged over all periods up to one,
  /// it gives the moments of the reward per decision as it was at the end of that period. It has no meaning for a
  /// single period.
  public var perDecision = Moments()
  /// The rewards of the decisions made in the period, whenever their goals came; where everything belongs to the period
  /// of the first exposure, of those by the units that joined in it.
  public var rewardsOfDecisions = Moments()
  /// Decisions with a known propensity.
  public var decisionsWithPropensity = 0
  /// The exact sum of these propensities.
  public var propensitySum = ExactSum()

  /// Creates a tally of zeros.
  public init() {}
}

extension SeriesTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&decisions, other.decisions)
    visit(&newUnits, other.newUnits)
    visit(&activeUnits, other.activeUnits)
    visit(&rewards, other.rewards)
    visit(&decisionsWithPropensity, other.decisionsWithPropensity)
    visit(&rewardSum, other.rewardSum)
    visit(&perDecision, other.perDecision)
    visit(&propensitySum, other.propensitySum)
    visit(&rewardsOfDecisions, other.rewardsOfDecisions)
  }

  /// Whether there is no decision and no goal.
  public var isOmitted: Bool { decisions == 0 && rewards == 0 }
}

/// The tallies by the number of their period.
struct PeriodTable: Sendable {
  private var index = CodeIndex()
  private var last: (period: Int64, place: Int) = (.min, -1)
  private(set) var tallies: [SeriesTally] = []

  /// The periods in the order of ``tallies``.
  var periods: [Int64] { index.keys.map { Int64(bitPattern: $0) } }

  /// The nonempty tallies by their periods.
  var byPeriod: [Int64: SeriesTally] {
    Dictionary(uniqueKeysWithValues: zip(periods, tallies).filter { !$1.isOmitted })
  }

  /// Returns the index of a period in ``tallies``, adding the period if needed.
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
}

extension PeriodTable: StateField {
  mutating func merge(_ other: PeriodTable) {
    for (place, period) in other.periods.enumerated() {
      change(period) { $0.merge(other.tallies[place]) }
    }
  }

  mutating func subtract(_ other: PeriodTable) {
    for (place, period) in other.periods.enumerated() {
      change(period) { $0.subtract(other.tallies[place]) }
    }
  }

  var isOmitted: Bool { tallies.allSatisfy(\.isOmitted) }

  func write(to writer: inout StateWriter) {
    StateEntries(byPeriod, .numbers, SeriesTally()).write(to: &writer)
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    var stored = StateEntries<Int64, SeriesTally>([:], .numbers, SeriesTally())
    try stored.read(from: &reader)
    for (period, tally) in stored.entries { change(period) { $0 = tally } }
  }
}

/// The series by segment, and the ledger.
public struct SeriesTallies: Sendable, Equatable {
  /// For every segment with a counted decision, the tallies of its nonempty periods.
  public var segments: [Segment: [Int64: SeriesTally]] = [:]
  /// The counts of what was read and what was excluded.
  public var ledger = RewardLedger()
  /// The days of the time zone that periods are of.
  public var calendar = DayCalendar.utc
}
