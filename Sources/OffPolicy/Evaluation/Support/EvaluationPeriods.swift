public import Events
public import Specifications
internal import Statistics

/// Periods into which the decisions of an evaluation are divided: the shortest of a minute, an hour, a
/// day, a week and their multiples with which there are at most 60. They depend on the first and the last decision
/// only, and on the time zone: days begin at its midnight, shorter periods are those of UTC.
public struct EvaluationPeriods: Sendable, Hashable {
  /// The length, in microseconds.
  public let length: Int64
  /// The days of the time zone that periods are of.
  public let calendar: DayCalendar

  /// The most periods.
  public static let most = 60

  private static let lengths: [Int64] = [
    60_000_000, 3_600_000_000, 86_400_000_000, 604_800_000_000, 2_419_200_000_000,
    31_449_600_000_000,
  ]

  /// 1970-01-05, a Monday, so that weeks begin with one.
  private static let origin: Int64 = 4 * 86_400_000_000

  /// Creates the periods between two times.
  ///
  /// - Parameters:
  ///   - times: The first and the last time, in microseconds since 1970-01-01T00:00:00Z.
  ///   - calendar: The days of the time zone that periods are of.
  public init(_ times: ClosedRange<Int64>, in calendar: DayCalendar = .utc) {
    func count(_ length: Int64) -> Int64 {
      Self.index(of: times.upperBound, length, calendar)
        - Self.index(of: times.lowerBound, length, calendar) + 1
    }
    var length = Self.lengths.first { count($0) <= Self.most } ?? Self.lengths[5]
    while count(length) > Self.most, length < .max / 4 { length *= 2 }
    (self.length, self.calendar) = (length, calendar)
  }

  /// Returns the number of the period that contains a time.
  public func index(of time: Int64) -> Int64 { Self.index(of: time, length, calendar) }

  /// Returns the start of a period.
  public func start(_ index: Int64) -> Timestamp {
    let start = index &* length &+ Self.origin
    return Timestamp(microseconds: length < DayCalendar.usualDay ? start : calendar.time(ofClock: start))
  }

  private static func index(of time: Int64, _ length: Int64, _ calendar: DayCalendar) -> Int64 {
    // Clocks show some minutes and hours twice.
    let time = length < DayCalendar.usualDay ? time : calendar.clock(at: time)
    let (since, isOver) = time.subtractingReportingOverflow(origin)
    if isOver { return .min / length }
    let (quotient, remainder) = since.quotientAndRemainder(dividingBy: length)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// The estimates of a policy's value from the decisions of one period.
public struct PeriodTally: StateFields, Equatable {
  /// The sums of each estimator, in order; nil for one that is not by terms.
  public private(set) var sums: [OffPolicySums?]
  private var weights = Moments()

  init(_ estimators: [any OffPolicyEstimator]) {
    sums = estimators.map { $0 is any TermEstimator ? OffPolicySums($0) : nil }
  }

  /// The number of decisions.
  public var decisions: Int { weights.count }

  /// The effective sample size, as in `WeightDiagnostics`; nil if no weight is above zero.
  public var effectiveSampleSize: Double? {
    let squares = weights.totalOfSquares.value
    return squares > 0 ? weights.sum / squares * weights.sum : nil
  }

  mutating func add(_ estimator: Int, unit decisions: ArraySlice<LoggedDecision>) {
    sums[estimator]?.add(unit: decisions.span)
  }

  mutating func add(weight: Double) { weights.add(weight) }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&sums, other.sums)
    visit(&weights, other.weights)
  }
}
