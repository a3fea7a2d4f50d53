internal import Events
internal import Prediction
internal import Tables

extension PredictionTables {
  /// The window of the rolling mean, in points of the curve.
  private static let window = 7

  private static let learningColumns: [TableColumn] = [
    .key("along", .text, "history: by earlier takes of the unit; time: by periods"),
    .key("takes_from", .integer, "the least number of earlier takes"),
    .key("time_from", .timestamp, "when the period begins"),
    .measure("takes_to", .integer, "the greatest number of earlier takes; empty without end").main,
    .measure("time_to", .timestamp, "when the period ends, exclusive"),
    .measure("events", .integer, "takes that were predicted").main,
    .measure("hits", .integer, "takes of the option that was predicted first"),
    .measure("hit_rate", .decimal, "hits / events").share.main,
    .measure("log_loss", .decimal, "mean log loss in nats").estimate.main,
    .measure("brier", .decimal, "mean Brier score").estimate,
    .measure("cumulative_events", .integer, "takes up to the end"),
    .measure("cumulative_hit_rate", .decimal, "hit rate of all up to the end").share
      .main,
    .measure("cumulative_log_loss", .decimal, "log loss of all up to the end").estimate
      .main,
    .measure("rolling_events", .integer, "takes of the row and the \(window - 1) before"),
    .measure("rolling_hit_rate", .decimal, "hit rate of these").share,
    .measure("rolling_log_loss", .decimal, "log loss of these").estimate,
  ]

  /// Returns one row for each stage of the histories of units, and for each period.
  func learningCurve() throws(TableError) -> Table {
    var table = try Table(
      name: "learning_curve", title: "How predictions became better",
      columns: Self.keys + Self.learningColumns + TableColumn.breakdown(dimension))
    for group in groups {
      for place in wanted {
        guard let scores = scores(place, group) else { continue }
        for row in Self.rows(scores.byHistory, isTime: false)
          + Self.rows(scores.byPeriod, isTime: true)
        {
          try table.append(row: keys(group, place) + row + breakdown(group))
        }
      }
    }
    note(&table)
    table.note("rolling", .text("\(Self.window) rows, or as many as there are"))
    return table.sorted()
  }

  private static func rows(_ curve: LearningCurve, isTime: Bool) -> [[TableCell]] {
    let cumulative = curve.cumulative.points
    let rolling = curve.rolling(window).points
    return curve.points.indices.map { index in
      let point = curve.points[index]
      let ends: [TableCell] =
        isTime
        ? [.text("time"), .empty, time(point.low), .empty, point.high.map(time) ?? .empty]
        : [
          .text("history"), .integer(Int(point.low)), .empty,
          TableCell(point.high.map { Int($0) }),
          .empty,
        ]
      return ends + [
        .integer(point.events), .integer(point.hits), TableCell(point.hitRate),
        TableCell(point.logLoss), TableCell(point.brier),
      ] + means(cumulative[index]) + means(rolling[index])
    }
  }

  private static func means(_ point: LearningPoint) -> [TableCell] {
    [.integer(point.events), TableCell(point.hitRate), TableCell(point.logLoss)]
  }

  /// Returns the cell of a time; the first and last period may extend beyond the range of timestamps.
  private static func time(_ microseconds: Int64) -> TableCell {
    let time = Timestamp(microseconds: microseconds)
    return .timestamp(min(max(time, .earliest), .latest).description)
  }
}
