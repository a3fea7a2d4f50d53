internal import Prediction
internal import Tables

extension PredictionTables {
  private static let calibrationColumns: [TableColumn] = [
    .key("bins", .text, "width: bins of equal width; decile: tenths of the takes"),
    .key("bin", .integer, "the number of the bin, from 1 on"),
    .measure("low", .decimal, "the least confidence of a bin of equal width"),
    .measure("high", .decimal, "where it ends: not part of it, but for 1"),
    .measure("events", .integer, "takes whose highest confidence is in the bin").main,
    .measure("hits", .integer, "takes of that option"),
    .measure("confidence", .decimal, "the mean highest confidence").share.main,
    .measure("hit_rate", .decimal, "hits / events").share.main,
    .measure("ci_low", .decimal, "lower end of its interval (Wilson)").share.main,
    .measure("ci_high", .decimal, "upper end of its interval (Wilson)").share.main,
    .measure("gap", .decimal, "hit_rate - confidence: below 0 it is too sure").share
      .main,
  ]

  /// Returns one row for each bin of equal width, and for each tenth of the takes.
  func calibration() throws(TableError) -> Table {
    var table = try Table(
      name: "calibration", title: "How often predictions of a confidence were right",
      columns: Self.keys + Self.calibrationColumns + TableColumn.breakdown(dimension))
    for group in groups {
      for place in wanted {
        guard let scores = scores(place, group) else { continue }
        for (kind, rows) in [("width", scores.reliability), ("decile", scores.deciles)] {
          for (index, row) in rows.enumerated() {
            try table.append(
              row: keys(group, place) + [.text(kind), .integer(index + 1)]
                + Self.calibrationCells(row) + breakdown(group))
          }
        }
      }
    }
    note(&table)
    return table.sorted()
  }

  private static func calibrationCells(_ row: ReliabilityRow) -> [TableCell] {
    let gap = row.rate.flatMap { rate in row.confidence.map { rate - $0 } }
    return [
      TableCell(row.low), TableCell(row.high), .integer(row.count), .integer(row.positives),
      TableCell(row.confidence), TableCell(row.rate),
    ] + TableCell.ends(row.interval) + [TableCell(gap)]
  }

  private static let thresholdColumns: [TableColumn] = [
    .key("threshold", .decimal, "the confidence above which one would act"),
    .measure("events", .integer, "takes that were predicted").main,
    .measure("acted", .integer, "takes before which the highest confidence was above it").main,
    .measure("right", .integer, "takes of that option among these"),
    .measure("coverage", .decimal, "acted / events").share.main,
    .measure("accuracy", .decimal, "right / acted").share.main,
    .measure("ci_low", .decimal, "lower end of the interval of accuracy (Wilson)").share
      .main,
    .measure("ci_high", .decimal, "upper end of the interval of accuracy (Wilson)").share.main,
  ]

  /// Returns one row for each threshold.
  func thresholds() throws(TableError) -> Table {
    var table = try Table(
      name: "prediction_thresholds", title: "What acting above a confidence would have given",
      columns: Self.keys + Self.thresholdColumns + TableColumn.breakdown(dimension))
    for group in groups {
      for place in wanted {
        for row in scores(place, group)?.confident ?? [] {
          try table.append(
            row: keys(group, place) + [
              .decimal(row.threshold), .integer(row.events), .integer(row.acted),
              .integer(row.right), TableCell(row.coverage), TableCell(row.accuracy),
            ] + TableCell.ends(row.accuracyInterval) + breakdown(group))
        }
      }
    }
    note(&table)
    return table.sorted()
  }
}
