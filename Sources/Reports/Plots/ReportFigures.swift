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
  /// - Parameters:
  ///   - table: The table, as the report gives it.
  ///   - others: Other tables of the same experiments, whose variants have colours too.
  /// - Returns: The figures in reading order; none for a table that is not plotted. A table without rows gives figures
  ///   that say so.
  public static func figures(of table: Table, among others: [Table] = []) -> [Figure] {
    figures(of: FigureTable(table: table, colors: VariantColors([table] + others)))
  }

  static func figures(of colored: FigureTable) -> [Figure] {
    let table = colored.table
    return switch table.name {
    case "rewards": rewards(colored)
    case "conversions": conversions(colored) + revenue(colored)
    case "compare": lifts(colored)
    case "adaptive": adaptive(colored)
    case "quantiles": quantiles(colored)
    case "visits": visits(colored)
    case "retention": retention(colored)
    case "health": sampleRatios(colored)
    case "funnel": funnel(colored)
    case "regret": regret(table)
    case "regret_by_variant": regretByVariant(colored)
    case "series": allocation(colored) + daily(colored) + cumulative(colored)
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

  /// Returns the figures of panels, or of one that says why there are none.
  static func figures(
    _ panels: [PlotPanel], or marks: PlotPanel.Marks, saying reason: String = emptyReason,
    name: String, title: String, description: String
  ) -> [Figure] {
    Plot(panels.isEmpty ? [PlotPanel("", marks, emptyReason: reason)] : panels)
      .figures(name: name, title: title, description: description)
  }
}
