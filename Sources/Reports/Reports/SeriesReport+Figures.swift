public import Plots
internal import Statistics
internal import Tables

extension SeriesReport {
  /// The columns that can hold the start of a period.
  private static let periods = ["hour", "day", "week"]

  private static func period(_ table: FigureTable) -> String {
    table.columns.first { periods.contains($0.name) }?.name ?? "day"
  }

  public static let notebookCode: String? = """
    series = of_experiment("series")
    draw_lines(series, "day", "decision_share", ["point", "slot", "variant"], ylim=(0, 1))
    draw_lines(series, "day", "reward_mean", ["point", "slot", "variant"], "ci_low", "ci_high")
    """

  public static func figures(of table: FigureTable) -> [Figure] {
    allocation(table) + daily(table) + cumulative(table) + chances(table)
  }

  private static func allocation(_ table: FigureTable) -> [Figure] {
    let period = period(table)
    let lengths: [String: Double] = ["hour": 3_600, "week": 604_800]
    let seconds = lengths[period] ?? 86_400
    let axis = PlotAxis("share of the decisions", unit: .percent)
    let panels = table.panels(except: ["variant", period]).map { panel in
      let starts = Set(panel.rows.compactMap { $0.time(period) }).sorted()
      let places = Dictionary(
        starts.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      let layers = panel.groups(by: "variant").map { group in
        var values = [Double?](repeating: nil, count: starts.count)
        for row in group.rows {
          guard let place = row.time(period).flatMap({ places[$0] }) else { continue }
          values[place] = row.number("decision_share")
        }
        return PlotLayers.Layer(group.name, values, series: panel.series(of: group.name))
      }
      let end = (starts.last ?? 0) + seconds
      return PlotPanel(
        panel.title, .layers(PlotLayers(over: "time (\(table.timeZone))", y: axis, starts: starts, end: end, layers)))
    }
    return Plot(panels, or: .layers(PlotLayers(y: axis, starts: [], end: 0, []))).figures(
      name: "series_allocation", title: "Allocation over time",
      description:
        "The share of the decisions of each \(period) that chose each variant, stacked. A "
        + "\(period) without decisions is blank. Shares that move show a policy that learns, or a change "
        + "of the allocation.")
  }

  private static func daily(_ table: FigureTable) -> [Figure] {
    let period = period(table)
    let axis = PlotAxis("rewards per decision", includesZero: true)
    return Plot(
      series(table, period, axis) { row, _ in
        guard let decisions = row.number("decisions"), decisions > 0,
          let rewards = row.number("reward_sum")
        else { return nil }
        return (rewards / decisions, nil)
      }, or: marks(table, period, axis, [])
    ).figures(
      name: "series_daily", title: "Rewards of each \(period)",
      description:
        "The rewards credited in each \(period), by the time of the goal, divided by the "
        + "decisions of the \(period), for each variant. There is no point for a \(period) without "
        + "decisions.")
  }

  /// The number of decisions from which on an asymptotic confidence sequence is drawn.
  private static let leastDecisions = 100.0

  /// Returns whether a mean is that of zeros and ones, whose variance it determines.
  private static func isRate(_ mean: Double, _ error: Double, _ count: Double) -> Bool {
    (0...1).contains(mean) && abs(error * error * (count - 1) - mean * (1 - mean)) < 1e-9
  }

  /// Returns a band without the values that no rate has.
  private static func clampedToRates(_ band: Interval) -> Interval {
    Interval(max(0, band.low), min(1, band.high))
  }

  private static func cumulative(_ table: FigureTable) -> [Figure] {
    let period = period(table)
    let level = level(table)
    // As in the report compare, unless it is told otherwise.
    let sequence = AsymptoticSequence(tightestAt: 5_000, alpha: 1 - level)
    let axis = PlotAxis("mean reward of a decision so far")
    let panels = series(table, period, axis) { row, previous in
      guard let mean = row.number("reward_mean"), let count = row.number("cumulative_decisions"),
        count != previous?.number("cumulative_decisions")
      else { return nil }
      guard count >= leastDecisions, let low = row.number("ci_low"),
        let high = row.number("ci_high")
      else {
        return (mean, nil)
      }
      let quantile = StudentT(degreesOfFreedom: count - 1).quantile(0.5 + level / 2)
      let error = (high - low) / 2 / quantile
      let band = sequence.interval(estimate: mean, standardError: error, count: count)
      return (mean, isRate(mean, error, count) ? clampedToRates(band) : band)
    }
    return Plot(panels, or: marks(table, period, axis, [])).figures(
      name: "series_cumulative", title: "Mean reward so far, with a confidence sequence",
      description: "The mean reward of all decisions up to the end of each \(period) (line) with a "
        + "\(Percent.text(level)) confidence sequence (band): unlike a confidence interval it holds at "
        + "all times at once, so that an experiment may be stopped at any of them. It is asymptotic, "
        + "drawn from 100 decisions on, and tightest at 5000. Bands that no longer overlap show "
        + "variants that differ.")
  }

  private static func chances(_ table: FigureTable) -> [Figure] {
    let period = period(table)
    let axis = PlotAxis("chance to be best", unit: .percent, includesZero: true)
    let panels = series(table, period, axis, or: "too few decisions of a variant") { row, _ in
      row.number("chance_to_be_best").map { ($0, nil) }
    }
    return Plot(panels, or: marks(table, period, axis, [])).figures(
      name: "series_chances", title: "Chance to be best so far",
      description: "The posterior probability of each variant to have the best mean reward of all, by the decisions up "
        + "to the end of each \(period). It is no test: it crosses any limit sooner or later where variants are equal.")
  }

  /// Returns a panel for each place, with a curve for each variant.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - period: The column of the start of the period.
  ///   - axis: The vertical axis.
  ///   - reason: Why a panel is empty.
  ///   - value: Returns the value of a row and its interval, given the row before it; nil if the row has none.
  /// - Returns: The panels.
  private static func series(
    _ table: FigureTable, _ period: String, _ axis: PlotAxis, or reason: String = "there are no decisions",
    _ value: (FigureRow, FigureRow?) -> (value: Double, interval: Interval?)?
  ) -> [PlotPanel] {
    table.panels(except: ["variant", period]).map { panel in
      let curves = panel.groups(by: "variant").map { group in
        var points: [PlotCurves.Point] = []
        var previous: FigureRow?
        for row in group.rows {
          defer { previous = row }
          guard let time = row.time(period), let (value, interval) = value(row, previous) else {
            continue
          }
          points.append(
            PlotCurves.Point(x: time, y: value, low: interval?.low, high: interval?.high))
        }
        return PlotCurves.Curve(group.name, points, series: panel.series(of: group.name))
      }
      return PlotPanel(
        panel.title, marks(table, period, axis, curves), emptyReason: reason)
    }
  }

  private static func marks(
    _ table: FigureTable, _ period: String, _ axis: PlotAxis, _ curves: [PlotCurves.Curve]
  ) -> PlotPanel.Marks {
    .curves(PlotCurves(over: "start of the \(period) (\(table.timeZone))", y: axis, curves))
  }

  /// Returns the confidence level of the intervals of a table, which its notes have; 0.95 without a note.
  private static func level(_ table: FigureTable) -> Double {
    let words = table.noteText("interval")?.split(separator: " ") ?? []
    guard let sign = words.firstIndex(of: "%"), sign > 0, let percent = Double(words[sign - 1]),
      percent > 0, percent < 100
    else { return 0.95 }
    return percent / 100
  }
}
