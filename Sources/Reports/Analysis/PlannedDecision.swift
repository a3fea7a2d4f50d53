internal import Events
internal import Replay
internal import Tables

/// When a planned experiment was tested: events that came later do not count.
struct DecisionMoment {
  /// What the plan waited for, such as `look 2 of 5`.
  let name: String
  /// The end of the events that were tested, exclusive.
  let time: Timestamp
  /// The row of the last look, where the variant was decided at one before it.
  var later: NamedCells?
}

/// A variant of a planned experiment with its recommendation.
struct PlannedDecision {
  /// Its row of the goal metric in the report `compare`.
  let row: NamedCells
  let recommendation: Recommendation
  /// The units of all variants so far, and those needed.
  let units: Double
  let unitsNeeded: Double?
  /// Whether the experiment is to be decided later, so that its test does not count yet.
  let isEarly: Bool
  /// Whether the units needed come only after the planned end.
  let isLate: Bool
  /// When it was tested; nil for a test that is valid at every look.
  var moment: DecisionMoment?
  /// The days until the units needed, or the next look, are there; nil if this is not known.
  var daysLeft: Int?
  /// The days of the time zone of the report.
  var calendar = DayCalendar.utc

  /// When the units needed are there, as clocks show it.
  var until: ZonedTime? {
    recommendation.until.map { ZonedTime(time: $0, calendar: calendar) }
  }

  /// Returns the decision of each variant.
  ///
  /// - Parameters:
  ///   - table: The table of `compare` without early tests, with the goal metric and the guardrails.
  ///   - entry: The plan of the experiment.
  ///   - paces: The units so far and those needed, by place.
  /// - Returns: The decisions, in the order of the rows; none of a variant without a row of the goal metric.
  static func decisions(
    of table: Table, _ entry: AnalysisPlan.Entry, _ paces: [ReportPlace: RecruitmentPace]
  ) -> [PlannedDecision] {
    let rows = NamedCells.rows(of: table).filter { $0.text("dimension") == nil }
    return rows.filter { $0.text("metric") == entry.metric.description }.map { goal in
      let guardrails = entry.guardrails.compactMap { rule in
        rows.first { row in
          row.text("metric") == rule.metric.description && ReportPlace(row) == ReportPlace(goal)
            && row.hasVariant(of: goal)
        }.map { (row: $0, rule: rule) }
      }
      let pace = paces[ReportPlace(goal)] ?? RecruitmentPace(units: 0)
      let recommendation = Recommendation(goal: goal, guardrails: guardrails, pace: pace, entry)
      return PlannedDecision(
        row: goal, recommendation: recommendation, units: pace.units, unitsNeeded: pace.needed,
        isEarly: pace.isEarly(entry.stopping), isLate: pace.isLate(entry),
        daysLeft: pace.days(until: recommendation.until), calendar: pace.calendar)
    }
  }

  /// Returns whether a row is that of the decision.
  func isOf(_ other: NamedCells) -> Bool {
    other.text("dimension") == nil && other.text("metric") == row.text("metric")
      && ReportPlace(other) == ReportPlace(row) && row.hasVariant(of: other)
  }
}

/// An experiment, point and slot by the bytes of their names.
struct ReportPlace: Hashable {
  private let names: [[UInt8]]

  init(_ row: NamedCells) {
    names = ["experiment", "point", "slot"].map { Array((row.text($0) ?? "").utf8) }
  }

  init(experiment: String, point: String, slot: String) {
    names = [experiment, point, slot].map { Array($0.utf8) }
  }
}
