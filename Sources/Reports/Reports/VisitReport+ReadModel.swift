internal import EventLog
public import Replay
internal import Tables

extension VisitReport: ReportWithReadModel {
  /// The read model of visits, which end after 30 minutes of inactivity.
  public static let readModel = KeptReport(
    of: VisitReport(), version: 3,
    parameters: "inactivity \(DurationText.text(VisitProjector.standardInactivity))",
    projector: VisitProjector(),
    companions: [
      Companion(kind: .index, name: "visits_by_variant", body: "ON visits (variant, experiment)"),
      Companion(
        kind: .view, name: "visits_overview",
        body: """
          AS SELECT coalesce(experiment, 'all units') AS experiment, point, slot, variant, units, visits,
            events, round(visits_per_unit, 4) AS visits_per_unit, round(ci_low, 4) AS ci_low,
            round(ci_high, 4) AS ci_high, round(events_per_visit, 4) AS events_per_visit,
            round(visit_seconds_mean / 60, 2) AS visit_minutes_mean,
            round(100.0 * single_event_share, 2) AS single_event_percent,
            round(100.0 * goal_share, 2) AS goal_percent
          FROM visits
          ORDER BY visits.experiment, point, slot, variant
          """),
    ], hasEmptyKeys: true)
}
