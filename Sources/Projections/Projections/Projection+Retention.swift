internal import EventLog
internal import Replay
internal import Reports

extension ReadModel {
  /// The report `retention`, on its standard days after the first exposure.
  static let retention = Projection(
    name: "retention", version: 1,
    parameters: "days " + RetentionProjector.standardDays.map(String.init).joined(separator: ", "),
    projector: GrowingRetentionProjector(),
    tables: {
      [try RetentionReport.table($0, of: GrowingRetentionProjector().retention, names: $1)]
    },
    companions: [
      Companion(
        kind: .index, name: "retention_by_day",
        body: "ON retention (day, experiment, retention DESC)"
      ),
      Companion(
        kind: .view, name: "retention_overview",
        body: """
          AS SELECT experiment, point, slot, variant, max(units + units_too_young) AS units,
            \(RetentionProjector.standardDays.map(percentColumn).joined(separator: ",\n  "))
          FROM retention
          GROUP BY experiment, point, slot, variant
          ORDER BY experiment, point, slot, variant
          """),
    ])

  private static func percentColumn(_ day: Int) -> String {
    "round(100.0 * max(CASE WHEN day = \(day) THEN retention END), 2) AS day_\(day)_percent"
  }
}
