internal import Events
internal import Prediction
internal import Tables

extension PredictionTables {
  /// The window of the rolling mean, in points of the curve.
  static let window = 7

  /// Returns one row for each stage of the histories of units, and for each period.
  func learningCurve() -> TableDraft {
    let rows = scored.flatMap { scored in
      [(scored.scores.byHistory, false), (scored.scores.byPeriod, true)].flatMap { curve, isTime in
        let (cumulative, rolling) = (curve.cumulative.points, curve.rolling(Self.window).points)
        return curve.points.indices.map {
          (
            names: scored.names, isTime: isTime, point: curve.points[$0],
            cumulative: cumulative[$0], rolling: rolling[$0]
          )
        }
      }
    }
    return TableDraft(
      name: "learning_curve", title: "How predictions became better", of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.key("along", "history: by earlier takes of the unit; time: by periods") {
        $0.isTime ? "time" : "history"
      }
      columns.key("takes_from", "the least number of earlier takes") {
        $0.isTime ? nil : Int($0.point.low)
      }
      columns.key("time_from", "when the period begins") {
        $0.isTime ? Self.time($0.point.low) : nil
      }
      columns.measure("takes_to", "the greatest number of earlier takes; empty without end") {
        $0.isTime ? nil : $0.point.high.map { Int($0) }
      }.main
      columns.measure("time_to", "when the period ends, exclusive") {
        $0.isTime ? $0.point.high.map(Self.time) : nil
      }
      columns.measure("events", "takes that were predicted") { $0.point.events }.main
      columns.measure("hits", "takes of the option that was predicted first") { $0.point.hits }
      columns.measure("hit_rate", "hits / events") { $0.point.hitRate }.share.main
      columns.measure("log_loss", "mean log loss in nats") { $0.point.logLoss }.estimate.main
      columns.measure("brier", "mean Brier score") { $0.point.brier }.estimate
      columns.measure("cumulative_events", "takes up to the end") { $0.cumulative.events }
      columns.measure("cumulative_hit_rate", "hit rate of all up to the end") {
        $0.cumulative.hitRate
      }.share.main
      columns.measure("cumulative_log_loss", "log loss of all up to the end") {
        $0.cumulative.logLoss
      }.estimate.main
      columns.measure("rolling_events", "takes of the row and the \(Self.window - 1) before") {
        $0.rolling.events
      }
      columns.measure("rolling_hit_rate", "hit rate of these") { $0.rolling.hitRate }.share
      columns.measure("rolling_log_loss", "log loss of these") { $0.rolling.logLoss }.estimate
      columns.breakdown(dimension) { $0.names.value }
      columns.explained(
        """
        scores by how many takes the unit had before (one row each below 8, then four to each doubling), and by day; \
        where that were more than 512 days, by 2, 4, 8, ... days. Cumulative: all rows up to it; rolling: the row and \
        the 6 before
        """, as: "--table learning-curve")
    }
  }

  /// Returns a time; the first and last period may extend beyond the range of timestamps.
  private static func time(_ microseconds: Int64) -> Timestamp {
    min(max(Timestamp(microseconds: microseconds), .earliest), .latest)
  }
}
