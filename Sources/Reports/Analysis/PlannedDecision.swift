internal import Events
internal import Replay
internal import Tables

/// A variant of a planned experiment with its recommendation.
struct PlannedDecision {
  /// Its row of the goal metric in the report `compare`.
  let row: NamedCells
  let recommendation: Recommendation
  let unitsNeeded: Double?
  /// Whether the experiment is to be decided later, so that its test does not count yet.
  let isEarly: Bool
  /// Whether the units needed come only after the planned end.
  let isLate: Bool
  /// The days of the time zone of the report.
  var calendar = DayCalendar.utc

  /// When the units needed are there, as clocks show it.
  var until: ZonedTime? {
    recommendation.until.map { ZonedTime(time: $0, calendar: calendar) }
  }

  /// The row if its test counts.
  var tested: NamedCells? { isEarly ? nil : row }

  /// The verdict of its row, or that it is too early for one.
  var verdict: String? { isEarly ? ComparisonVerdict.tooEarly.rawValue : row.text("verdict") }

  /// Returns the decision of each variant.
  ///
  /// - Parameters:
  ///   - table: The table of `compare`, with the goal metric and the guardrails.
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
            && isSame(row.text("variant"), goal.text("variant"))
        }.map { (row: $0, rule: rule) }
      }
      let pace = paces[ReportPlace(goal)] ?? RecruitmentPace(units: 0)
      return PlannedDecision(
        row: goal,
        recommendation: Recommendation(goal: goal, guardrails: guardrails, pace: pace, entry),
        unitsNeeded: pace.needed, isEarly: pace.isEarly(entry.stopping), isLate: pace.isLate(entry),
        calendar: pace.calendar)
    }
  }

  /// Returns whether a row is that of the decision.
  func isOf(_ other: NamedCells) -> Bool {
    other.text("dimension") == nil && other.text("metric") == row.text("metric")
      && ReportPlace(other) == ReportPlace(row)
      && Self.isSame(other.text("variant"), row.text("variant"))
  }

  /// By bytes: names that are equal in Swift may differ in how accents are composed.
  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    (a ?? "").utf8.elementsEqual((b ?? "").utf8)
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
