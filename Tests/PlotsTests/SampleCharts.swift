import Plots

/// A chart of each kind with its golden file, drawn from fixed numbers.
enum SampleChart: String, CaseIterable {
  case regret, rewards, lifts, allocation, weights, reliability, bars, series, hostile, empty

  /// Names as logs have them.
  private static let policies = ["epsilon-greedy:epsilon=0.1", "thompson", "ucb1"]

  /// The figures of the chart.
  var figures: [Figure] {
    chart.figures(name: rawValue, title: title, description: description)
  }

  private var title: String {
    self == .hostile ? "</title><script>alert(1)</script>" : "Sample of \(rawValue)"
  }

  private var description: String {
    self == .hostile
      ? "\u{202E}right to left \u{0} & \"quoted\""
      : "Dots are values, lines and bands are intervals of 95 %. The numbers are made up, and are "
        + "the same ones every time."
  }

  private var chart: any Chart {
    switch self {
    case .regret: Self.regretChart
    case .rewards: Self.rewardChart
    case .lifts: Self.liftChart
    case .allocation: Self.allocationChart
    case .weights: Self.weightChart
    case .reliability: Self.reliabilityChart
    case .bars: Self.barChart
    case .series: Self.seriesChart
    case .hostile: Self.hostileChart
    case .empty: Self.emptyChart
    }
  }

  private static let regretChart: LineChart = {
    let steps = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    let curves = policies.enumerated().map { index, name in
      let points = steps.map { step in
        let regret = index == 0 ? step * 0.03 : step.squareRoot() * (4 - Double(index)) / 2
        return LineChart.Point(x: step, y: regret, low: regret * 0.6, high: regret * 1.5)
      }
      return LineChart.Curve(name, points, series: index)
    }
    let bound = LineChart.Curve(
      "Lai–Robbins bound", steps.map { .init(x: $0, y: $0.squareRoot() / 3) }, series: 0)
    let axes = [
      PlotAxis("decisions", includesZero: true),
      PlotAxis("decisions, logarithmic", spacing: .logarithmic),
    ]
    return LineChart(
      panels: axes.map { axis in
        LineChart.Panel(
          title: "bernoulli:means=0.1;0.2;0.9", x: axis,
          y: PlotAxis("pseudo-regret", includesZero: true), curves: curves, references: [bound])
      }, joining: .whereDense)
  }()

  private static let rewardChart = IntervalChart(panels: [
    IntervalChart.Panel(
      title: "checkout", axis: PlotAxis("mean reward of a decision"),
      rows: [
        .init("blue", value: 0.0503, low: 0.0463, high: 0.0544, note: "11192 decisions"),
        .init(
          "green", value: 0.0626, low: 0.0581, high: 0.0671, note: "11187 decisions", series: 1),
        .init("orange", value: 0.0754, low: 0.0705, high: 0.0803, note: "25 decisions", series: 2),
      ]),
    IntervalChart.Panel(
      title: "homepage · hero", note: "a variant without decisions has no estimate",
      axis: PlotAxis("mean reward of a decision"),
      rows: [
        .init("variant-2", value: 12_345.6, low: 11_000, high: 13_700),
        .init("variant-10", value: nil, series: 1),
        .init("variant-11", value: 12_000, low: nil, high: 12_500, series: 2),
      ]),
  ])

  private static let liftChart = IntervalChart(panels: [
    IntervalChart.Panel(
      title: "checkout · reward", note: "baseline: blue",
      axis: PlotAxis("lift over the baseline", unit: .percent),
      rows: [
        .init("green", value: 0.215, low: -0.032, high: 0.534, note: "undecided"),
        .init("orange", value: 0.535, low: 0.241, high: 0.919, note: "higher", series: 1),
        .init(
          "striped", group: "later", value: -0.1, low: -0.2, high: -0.01, note: "do not read",
          isDoubtful: true),
      ], reference: 0, referenceName: "no difference")
  ])

  private static let day = 86_400.0
  /// 2026-01-01.
  private static let start = 1_767_225_600.0

  private static let allocationChart = StackedAreaChart(panels: [
    StackedAreaChart.Panel(
      title: "recommendations", y: PlotAxis("share of the decisions", unit: .percent),
      starts: (0..<30).map { start + Double($0) * day }, end: start + 30 * day,
      layers: [
        .init("bought-together", (0..<30).map { 0.25 + Double($0) * 0.02 }, series: 0),
        .init("editorial", (0..<30).map { 0.25 - Double($0) * 0.007 }, series: 1),
        .init("popular", (0..<30).map { 0.5 - Double($0) * 0.013 }, series: 2),
      ])
  ])

  private static let weightChart = HistogramChart(
    panels: ["uniform", "fixed:variant=orange"].enumerated().map { index, title in
      HistogramChart.Panel(
        title: title, note: "33424 decisions",
        bins: (0..<(index == 0 ? 3 : 14)).map { bin in
          let size = Double(bin + 1)
          return .init("\(1 << bin)", heights: [0.6 / size, 0.02 * size])
        })
    }, series: ["share of the decisions", "share of the weight"], binTitle: "importance weight",
    y: PlotAxis("share", unit: .percent))

  private static let reliabilityChart = ReliabilityChart(
    panels: ["beauchamp", "markov:order=2", "popular:smoothing=1", "uniform"].enumerated().map {
      index, title in
      ReliabilityChart.Panel(
        title: title, note: "tabs: ECE 0.05, 12345 takes",
        bins: (0..<(10 - 3 * index)).map { bin in
          let low = Double(bin) / 10
          let rate = 0.08 + Double(bin) * 0.08
          return .init(
            low...low + 0.1, count: 3 + 4_310 * bin % 9_770, predicted: low + 0.06, observed: rate,
            low: max(0, rate - 0.08), high: min(1, rate + 0.1))
        })
    })

  private static let barChart = BarChart(panels: [
    BarChart.Panel(
      title: "checkout", note: "sample ratio: failed, p = 0.0001",
      axis: PlotAxis("units at their first exposure"),
      bars: [
        .init("blue", value: 4_332, expected: 4_284),
        .init("green", value: 4_879, expected: 4_284, series: 1),
        .init("orange", value: 3_641, expected: 4_284, series: 2),
      ]),
    BarChart.Panel(
      title: "checkout, steps", axis: PlotAxis("share of the units", unit: .percent),
      bars: [
        .init("blue", group: "1. signup", value: 0.0917, low: 0.08, high: 0.105, note: "191"),
        .init("green", group: "1. signup", value: 0.0945, low: 0.0824, high: 0.108, series: 1),
        .init("blue", group: "2. purchase", value: 0.0178, low: 0.0129, high: 0.0244),
        .init("green", group: "2. purchase", value: 0.0213, low: 0.0158, high: 0.0285, series: 1),
      ]),
  ])

  private static let seriesChart = TimeSeriesChart(
    panels: [30, 1].map { days in
      TimeSeriesChart.Panel(
        title: "\(days) days", y: PlotAxis("mean reward of a decision so far"),
        series: ["blue", "green"].enumerated().map { index, name in
          let points = (0..<days).map { place -> LineChart.Point in
            let value = 0.05 + Double(index) * 0.012 + 0.01 / Double(place + 1)
            let spread = 0.02 / Double(place + 1).squareRoot()
            return LineChart.Point(
              x: start + Double(place) * day, y: value, low: value - spread, high: value + spread)
          }
          return LineChart.Curve(name, points, series: index)
        }, reference: 0.06, referenceName: "target")
    }, timeTitle: "start of the day (UTC)")

  /// Text from logs that is made to break out of where it stands.
  private static let hostileChart: LineChart = {
    let names = [
      "<script>alert(1)</script>", "\"onload=\"alert(1)", "a\u{0}b\u{1B}[31m\u{FFFF}", "=1+1",
      "\u{202E}drawkcab", "עברית", "変異体 🦅", String(repeating: "long ", count: 80), "]]>&amp;",
      "--><style>*{display:none}</style>",
    ]
    return LineChart(panels: [
      LineChart.Panel(
        title: names[0], note: names[9], x: PlotAxis(names[1]), y: PlotAxis(names[2]),
        curves: names.enumerated().map { index, name in
          LineChart.Curve(
            name,
            [
              .init(x: 0, y: Double(index)), .init(x: 1, y: Double(index) * 1.5),
              .init(x: .nan, y: 3), .init(x: 2, y: .infinity, low: -.infinity, high: .nan),
            ], series: index)
        })
    ])
  }()

  private static let emptyChart = LineChart(panels: [
    LineChart.Panel(title: "no curves", x: PlotAxis("x"), y: PlotAxis("y"), curves: []),
    LineChart.Panel(
      title: "no finite values", x: PlotAxis("x"), y: PlotAxis("y"),
      curves: [.init("a", [.init(x: .nan, y: 1), .init(x: 1, y: .infinity)], series: 0)]),
    LineChart.Panel(
      title: "nothing above 0", x: PlotAxis("x"), y: PlotAxis("y", spacing: .logarithmic),
      curves: [.init("a", [.init(x: 1, y: -1), .init(x: 2, y: 0)], series: 0)]),
    LineChart.Panel(
      title: "one point", x: PlotAxis("x", spacing: .logarithmic), y: PlotAxis("y"),
      curves: [.init("a", [.init(x: 7, y: 5, low: 4, high: 6)], series: 0)]),
    LineChart.Panel(
      title: "all equal", x: PlotAxis("x"), y: PlotAxis("y"),
      curves: [.init("a", (0..<5).map { .init(x: Double($0), y: 0.3) }, series: 0)]),
    LineChart.Panel(
      title: "enormous and tiny", x: PlotAxis("x"), y: PlotAxis("y", spacing: .logarithmic),
      curves: [.init("a", [.init(x: -1e300, y: 1e-300), .init(x: 1e300, y: 1e300)], series: 0)]),
  ])
}
