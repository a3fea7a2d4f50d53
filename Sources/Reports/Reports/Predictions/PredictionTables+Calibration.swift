internal import Prediction
internal import Tables

extension PredictionTables {
  /// Returns one row for each bin of equal width, and for each tenth of the takes.
  func calibration() -> TableDraft {
    let rows = scored.flatMap { scored in
      [("width", scored.scores.reliability), ("decile", scored.scores.deciles)].flatMap {
        bins, rows in
        rows.enumerated().map { (names: scored.names, bins: bins, bin: $0 + 1, row: $1) }
      }
    }
    return TableDraft(
      name: "calibration", title: "How often predictions of a confidence were right", of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.key("bins", "width: bins of equal width; decile: tenths of the takes") { $0.bins }
      columns.key("bin", "the number of the bin, from 1 on") { $0.bin }
      columns.measure("low", "the least confidence of a bin of equal width") { $0.row.low }
      columns.measure("high", "where it ends: not part of it, but for 1") { $0.row.high }
      columns.measure("events", "takes whose highest confidence is in the bin") { $0.row.count }
        .main
      columns.measure("hits", "takes of that option") { $0.row.positives }
      columns.measure("confidence", "the mean highest confidence") { $0.row.confidence }.share.main
      columns.measure("hit_rate", "hits / events") { $0.row.rate }.share.main
      columns.interval("ci", "its interval (Wilson)") { $0.row.interval }.share.main
      columns.measure("gap", "hit_rate - confidence: below 0 it is too sure") { bin in
        bin.row.rate.flatMap { rate in bin.row.confidence.map { rate - $0 } }
      }.share.main
      columns.breakdown(dimension) { $0.names.value }
      columns.explained(
        """
        the bins of ece, and tenths of the takes from the lowest confidence up; interval of the hit rate by Wilson, \
        which takes predictions for independent
        """, source: "E. B. Wilson, Probable inference, 1927", as: "--table calibration")
    }
  }

  /// Returns one row for each threshold.
  func thresholds() -> TableDraft {
    let rows = scored.flatMap { scored in
      scored.scores.confident.map { (names: scored.names, row: $0) }
    }
    return TableDraft(
      name: "prediction_thresholds", title: "What acting above a confidence would have given",
      of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.key("threshold", "the confidence above which one would act") { $0.row.threshold }
      columns.measure("events", "takes that were predicted") { $0.row.events }.main
      columns.measure("acted", "takes before which the highest confidence was above it") {
        $0.row.acted
      }.main
      columns.measure("right", "takes of that option among these") { $0.row.right }
      columns.measure("coverage", "acted / events") { $0.row.coverage }.share.main
      columns.measure("accuracy", "right / acted") { $0.row.accuracy }.share.main
      columns.interval("ci", "the interval of accuracy (Wilson)") { $0.row.accuracyInterval }
        .share.main
      columns.breakdown(dimension) { $0.names.value }
    }
  }
}
