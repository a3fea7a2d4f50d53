public import Events

/// The next step for a variant, by the plan of its experiment.
public struct Recommendation: Equatable, Sendable {
  /// The next step.
  public enum Action: String, CaseIterable, Sendable {
    /// The goal metric is higher, and no guardrail is worse: give the variant to everyone.
    case ship
    /// The goal metric or a guardrail is worse: take the variant back.
    case rollBack = "roll back"
    /// Nothing is decided yet.
    case keepRunning = "keep running"
    /// Nothing is decided although the planned units are there: an effect of the size looked for is unlikely.
    case stop
    /// The data are damaged: repair them, or run the experiment again.
    case notValid = "not valid"
  }

  /// The next step.
  public var action: Action
  /// The start of the day on which the planned units are there at the present rate, if the experiment is to be kept
  /// running and this is known.
  public var until: Timestamp?
  /// The rule and the numbers that decided, in words.
  public var reason: String

  /// Creates a recommendation.
  public init(_ action: Action, until: Timestamp? = nil, reason: String) {
    (self.action, self.until, self.reason) = (action, until, reason)
  }
}

/// How far an experiment is on its way to the units that it needs.
struct RecruitmentPace {
  /// The name of the rule that an experiment is not decided before its units or its first look.
  static let rule = "planned_units"

  /// The number of variants.
  var variants = 2
  /// The units so far, and those needed, of all variants.
  var units: Double
  var needed: Double?
  /// New units a day.
  var unitsPerDay: Double?
  /// The first and the last day with a new unit, counted from 1970-01-01.
  var firstDay: Int64?
  var lastDay: Int64?
  /// The day up to which events were read, counted in the same way; nil if it is not known.
  var today: Int64?
  /// The looks of a group sequential plan; nil for another plan.
  var looks: LookCourse?
  /// The end of the day on which a fixed plan had its units, if that day is over; nil for another plan.
  var horizon: Timestamp?
  /// The day on which the plan ends; nil if it has no end.
  var plannedEnd: Int64?
  /// The days of the time zone of the report.
  var calendar = DayCalendar.utc
  /// Why the needed units are not known.
  var status: String?

  /// The days so far, and those planned; nil if no unit came yet.
  var days: (elapsed: Int, planned: Int?)? {
    guard let firstDay, let lastDay else { return nil }
    return (Int(lastDay - firstDay) + 1, plannedEnd.map { Int($0 - firstDay) })
  }

  /// The units so far in words, such as `1000 of 1200 units`.
  var progress: String {
    let needed = needed.map { " of \(AnswerNumber.number($0))" } ?? ""
    return "\(AnswerNumber.number(units))\(needed) units"
  }

  /// Whether the needed units are there.
  var isComplete: Bool { needed.map { units >= $0 } ?? false }

  /// Whether an experiment that is decided at planned units has not got those of its first look.
  func isEarly(_ rule: StoppingRule) -> Bool {
    switch rule {
    case .everyLook: false
    case .atUnits: horizon == nil
    case .atLooks: looks?.taken.isEmpty ?? true
    }
  }

  /// The day from which further days count: no unit may have come for some time.
  private var now: Int64? { lastDay.map { max($0, today ?? $0) } }

  /// The days until the needed units, or the next look, are there at the present rate; nil if this is not known.
  func days(until end: Timestamp?) -> Int? {
    guard let end, let now else { return nil }
    let days = calendar.day(of: end.microseconds) - now
    return days > 0 ? Int(days) : nil
  }

  /// Whether the needed units come only after the planned end.
  func isLate(_ entry: AnalysisPlan.Entry) -> Bool {
    end.flatMap { end in entry.until.map { end > $0 } } ?? false
  }

  /// The start of the day on which the needed units are there at the present rate, or on which a fixed plan is decided;
  /// nil if it is not known, or more than a hundred years away.
  var end: Timestamp? {
    if let looks { return looks.next }
    if isComplete, horizon == nil, let lastDay { return Timestamp(microseconds: calendar.start(ofDay: lastDay + 1)) }
    guard let needed, let unitsPerDay, unitsPerDay > 0, let now, needed > units else {
      return nil
    }
    let days = ((needed - units) / unitsPerDay).rounded(.up)
    guard days < 36_525 else { return nil }
    return Timestamp(microseconds: calendar.start(ofDay: now + Int64(days)))
  }
}
