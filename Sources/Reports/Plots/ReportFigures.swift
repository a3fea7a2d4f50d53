public import Plots
public import Tables

/// The plots of reports: which figures belong to a table, found by its name and drawn from its columns.
public enum ReportFigures {
  /// Returns the figures of a table of a report.
  ///
  /// Each combination of experiment, point, slot and further keys is a panel; to draw one experiment only, give a table
  /// with its rows. Variants, experiments and other names are in natural order, and a variant has the same colour in
  /// all figures of an experiment.
  ///
  /// - Parameter table: The table, as the report gives it.
  /// - Returns: The figures in reading order; none for a table that is not plotted. A table without rows gives figures
  ///   that say so.
  public static func figures(of table: Table) -> [Figure] {
    switch table.name {
    case "rewards": rewards(table)
    case "conversions": conversions(table) + revenue(table)
    case "compare": lifts(table)
    case "adaptive": adaptive(table)
    case "quantiles": quantiles(table)
    case "visits": visits(table)
    case "retention": retention(table)
    case "health": sampleRatios(table)
    case "funnel": funnel(table)
    case "regret": regret(table)
    case "regret_by_variant": regretByVariant(table)
    case "series": allocation(table) + daily(table) + cumulative(table)
    case "calibration": reliability(table)
    case "learning_curve": learningCurves(table)
    case "prediction_skill": skill(table)
    case "evaluation": estimates(table)
    case "versus": differences(table)
    case "learning": learning(table)
    case "weights": weights(table)
    case "time": values(table)
    default: []
    }
  }

  /// What a figure of a table without rows says.
  static let emptyReason = "the table has no rows"

  /// What a figure without panels has instead: one panel that says why it is empty.
  static func emptyRows(_ axis: PlotAxis) -> [IntervalChart.Panel] {
    [IntervalChart.Panel(title: "", axis: axis, rows: [], emptyReason: emptyReason)]
  }
}
