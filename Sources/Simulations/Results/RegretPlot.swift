internal import Bandits
public import Plots
internal import Specifications
internal import Statistics
internal import Tables

/// Regret curves: for each environment a panel with a linear and one with a logarithmic axis of decisions, with a curve
/// for each policy, a band from the 0.05 to the 0.95 quantile of the runs, and the Lai–Robbins line where there is
/// one; and the regrets of all policies at the horizon, with their confidence intervals.
public struct RegretPlot {
  private let tables: SimulationTables

  /// Creates a plot of tables.
  public init(_ tables: SimulationTables) { self.tables = tables }

  /// The figures of the curves, more than one if there are more environments than fit on a page, and that of the
  /// regrets at the horizon.
  public var figures: [Figure] { curves + finals }

  private var finals: [Figure] {
    let plan = tables.plan
    let panels = tables.prepared.environments.enumerated().map { place, environment in
      let rows = zip(plan.policies, tables.regrets(place)).enumerated().map { index, regrets in
        let moments = Moments(regrets.1)
        let interval = moments.meanInterval(level: tables.level)
        return PlotRows.Row(
          regrets.0, value: moments.mean, low: interval?.low, high: interval?.high, series: index)
      }
      return PlotPanel(
        environment.specification.description,
        .rows(PlotRows(PlotAxis("pseudo-regret", includesZero: true), rows)),
        emptyReason: "no run has ended")
    }
    let runs = plan.runs
    return Plot(panels).figures(
      name: "regret_final",
      title: "Regret of policies after \(AnswerText.count(plan.rules.horizon, "decision"))",
      description:
        "The mean pseudo-regret of \(runs) \(runs == 1 ? "run" : "runs") at the horizon (dot), with its "
        + "\(Percent.text(tables.level)) confidence interval (line; none for a single run). Policies whose intervals "
        + "overlap may still differ: --show differences compares them run by run.")
  }

  private var curves: [Figure] {
    let plan = tables.plan
    var panels: [PlotPanel] = []
    for (place, environment) in tables.prepared.environments.enumerated() {
      let curves = plan.policies.indices.map { curve(place * plan.policies.count + $0, $0) }
      panels += Self.axes.map { axis in
        PlotPanel(
          environment.specification.description,
          .curves(
            PlotCurves(
              x: axis, y: PlotAxis("pseudo-regret", includesZero: true), curves,
              references: bound(of: environment), joining: .whereDense)),
          emptyReason: "no run has ended")
      }
    }
    return Plot(panels).figures(
      name: "regret", title: "Regret of policies", description: description)
  }

  /// Returns the files of the figures: `plot.svg`, and `plot_2.svg` and so on for further ones.
  ///
  /// - Parameter path: The path of the first one.
  /// - Returns: The path and text of each file.
  public func files(path: String) -> [(path: String, text: String)] {
    Figure.files(figures, path: path)
  }

  private static let axes = [
    PlotAxis("decisions", includesZero: true),
    PlotAxis("decisions, logarithmic", spacing: .logarithmic),
  ]

  private var description: String {
    let runs = tables.plan.runs
    return
      "The pseudo-regret of each policy: the mean of the best variant less that of the chosen one, "
      + "added up; the mean of \(runs) \(runs == 1 ? "run" : "runs") (line). The band goes from the "
      + "0.05 to the 0.95 quantile of the runs: nine in ten lie in it; it is no confidence interval "
      + "of the mean. Checkpoints that are far apart are joined by dotted lines, with the quantiles "
      + "drawn at the point: between them nothing was recorded."
      + (hasBound
        ? " No consistent policy's regret stays below the Lai–Robbins bound in the long run." : "")
  }

  private var hasBound: Bool {
    tables.prepared.environments.contains { !bound(of: $0).isEmpty }
  }

  private func curve(_ pair: Int, _ index: Int) -> PlotCurves.Curve {
    let outcomes = tables.store.outcomes(of: pair)
    let points = tables.plan.steps.enumerated().compactMap { place, step in
      OutcomeSummary(outcomes, at: place, step: step).regret.map {
        PlotCurves.Point(x: Double(step), y: $0.mean, low: $0.low, high: $0.high)
      }
    }
    return PlotCurves.Curve(tables.plan.policies[index], points, series: index)
  }

  private func bound(of environment: any Environment) -> [PlotCurves.Curve] {
    guard let constant = environment.arms.flatMap(LaiRobbins.constant), constant > 0 else {
      return []
    }
    let points = tables.plan.steps.map {
      PlotCurves.Point(x: Double($0), y: constant * Double.log(Double($0)))
    }
    return [PlotCurves.Curve("Lai–Robbins bound", points, series: 0)]
  }
}
