import Plots

/// A plot of each kind with its golden file, drawn from fixed numbers.
enum SamplePlot: String, CaseIterable {
  case regret, rewards, lifts, allocation, weights, reliability, bars, series, hostile, empty

  /// Names as logs have them.
  private static let policies = ["epsilon-greedy:epsilon=0.1", "thompson", "ucb1"]

  /// The figures of the plot.
  var figures: [Figure] {
    plot.figures(name: rawValue, title: title, description: description)
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

  private var plot: Plot {
    switch self {
    case .regret: Self.regretPlot
    case .rewards: Self.rewardPlot
    case .lifts: Self.liftPlot
    case .allocation: Self.allocationPlot
    case .weights: Self.weightPlot
    case .reliability: Self.reliabilityPlot
    case .bars: Self.barPlot
    case .series: Self.seriesPlot
    case .hostile: Self.hostilePlot
    case .empty: Self.emptyPlot
    }
  }

  private static let regretPlot: Plot = {
    let steps = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
    let curves = policies.enumerated().map { index, name in
      let points = steps.map { step in
        let regret = index == 0 ? step * 0.03 : step.squareRoot() * (4 - Double(index)) / 2
        return PlotCurves.Point(x: step, y: regret, low: regret * 0.6, high: regret * 1.5)
      }
      return PlotCurves.Curve(name, points, series: index)
    }
    let bound = PlotCurves.Curve(
      "Lai–Robbins bound", steps.map { .init(x: $0, y: $0.squareRoot() / 3) }, series: 0)
    let axes = [
      PlotAxis("decisions", includesZero: true),
      PlotAxis("decisions, logarithmic", spacing: .logarithmic),
    ]
    return Plot(
      axes.map { axis in
        PlotPanel(
          "bernoulli:means=0.1;0.2;0.9",
          .curves(
            PlotCurves(
              x: axis, y: PlotAxis("pseudo-regret", includesZero: true), curves,
              references: [bound], joining: .whereDense)))
      })
  }()

  private static let rewardPlot = Plot([
    PlotPanel(
      "checkout",
      .rows(
        PlotRows(
          PlotAxis("mean reward of a decision"),
          [
            .init("blue", value: 0.0503, low: 0.0463, high: 0.0544, note: "11192 decisions"),
            .init(
              "green", value: 0.0626, low: 0.0581, high: 0.0671, note: "11187 decisions",
              series: 1),
            .init(
              "orange", value: 0.0754, low: 0.0705, high: 0.0803, note: "25 decisions", series: 2),
          ]))),
    PlotPanel(
      "homepage · hero", note: "a variant without decisions has no estimate",
      .rows(
        PlotRows(
          PlotAxis("mean reward of a decision"),
          [
            .init("variant-2", value: 12_345.6, low: 11_000, high: 13_700),
            .init("variant-10", value: nil, series: 1),
            .init("variant-11", value: 12_000, low: nil, high: 12_500, series: 2),
          ]))),
  ])

  private static let liftPlot = Plot([
    PlotPanel(
      "checkout · reward", note: "baseline: blue",
      .rows(
        PlotRows(
          PlotAxis("lift over the baseline", unit: .percent),
          [
            .init("green", value: 0.215, low: -0.032, high: 0.534, note: "undecided"),
            .init("orange", value: 0.535, low: 0.241, high: 0.919, note: "higher", series: 1),
            .init(
              "striped", group: "later", value: -0.1, low: -0.2, high: -0.01, note: "not valid",
              isDoubtful: true),
          ], reference: 0, referenceName: "no difference")))
  ])

  private static let day = 86_400.0
  /// 2026-01-01.
  private static let start = 1_767_225_600.0

  private static let allocationPlot = Plot([
    PlotPanel(
      "recommendations",
      .layers(
        PlotLayers(
          y: PlotAxis("share of the decisions", unit: .percent),
          starts: (0..<30).map { start + Double($0) * day }, end: start + 30 * day,
          [
            .init("bought-together", (0..<30).map { 0.25 + Double($0) * 0.02 }, series: 0),
            .init("editorial", (0..<30).map { 0.25 - Double($0) * 0.007 }, series: 1),
            .init("popular", (0..<30).map { 0.5 - Double($0) * 0.013 }, series: 2),
          ])))
  ])

  private static let weightPlot = Plot(
    ["uniform", "fixed:variant=orange"].enumerated().map { index, title in
      let bins = (0..<(index == 0 ? 3 : 14)).map { bin in
        let size = Double(bin + 1)
        return PlotHistogram.Bin("\(1 << bin)", heights: [0.6 / size, 0.02 * size])
      }
      return PlotPanel(
        title, note: "33424 decisions",
        .histogram(
          PlotHistogram(
            bins, series: ["share of the decisions", "share of the weight"],
            binTitle: "importance weight", y: PlotAxis("share", unit: .percent))))
    })

  private static let reliabilityPlot = Plot(
    ["beauchamp", "markov:order=2", "popular:smoothing=1", "uniform"].enumerated().map {
      index, title in
      let bins = (0..<(10 - 3 * index)).map { bin in
        let low = Double(bin) / 10
        let rate = 0.08 + Double(bin) * 0.08
        return PlotRates.Bin(
          low...low + 0.1, count: 3 + 4_310 * bin % 9_770, predicted: low + 0.06, observed: rate,
          low: max(0, rate - 0.08), high: min(1, rate + 0.1))
      }
      return PlotPanel(title, note: "tabs: ECE 0.05, 12345 takes", .rates(PlotRates(bins)))
    })

  private static let barPlot = Plot([
    PlotPanel(
      "checkout", note: "sample ratio: failed, p = 0.0001",
      .rows(
        PlotRows(
          PlotAxis("units at their first exposure"),
          [
            .init("blue", value: 4_332, expected: 4_284),
            .init("green", value: 4_879, expected: 4_284, series: 1),
            .init("orange", value: 3_641, expected: 4_284, series: 2),
          ], as: .bar))),
    PlotPanel(
      "checkout, steps",
      .rows(
        PlotRows(
          PlotAxis("share of the units", unit: .percent),
          [
            .init(
              "blue", group: "1. signup", value: 0.0917, low: 0.08, high: 0.105, note: "191"),
            .init(
              "green", group: "1. signup", value: 0.0945, low: 0.0824, high: 0.108, series: 1),
            .init("blue", group: "2. purchase", value: 0.0178, low: 0.0129, high: 0.0244),
            .init(
              "green", group: "2. purchase", value: 0.0213, low: 0.0158, high: 0.0285, series: 1),
          ], as: .bar))),
  ])

  private static let seriesPlot = Plot(
    [30, 1].map { days in
      let curves = ["blue", "green"].enumerated().map { index, name in
        let points = (0..<days).map { place -> PlotCurves.Point in
          let value = 0.05 + Double(index) * 0.012 + 0.01 / Double(place + 1)
          let spread = 0.02 / Double(place + 1).squareRoot()
          return PlotCurves.Point(
            x: start + Double(place) * day, y: value, low: value - spread, high: value + spread)
        }
        return PlotCurves.Curve(name, points, series: index)
      }
      return PlotPanel(
        "\(days) days",
        .curves(
          PlotCurves(
            over: "start of the day (UTC)", y: PlotAxis("mean reward of a decision so far"),
            curves, reference: (0.06, "target"))))
    })

  /// Text from logs that is made to break out of where it stands.
  private static let hostilePlot: Plot = {
    let names = [
      "<script>alert(1)</script>", "\"onload=\"alert(1)", "a\u{0}b\u{1B}[31m\u{FFFF}", "=1+1",
      "\u{202E}drawkcab", "עברית", "変異体 🦅", String(repeating: "long ", count: 80), "]]>&amp;",
      "--><style>*{display:none}</style>",
    ]
    let curves = names.enumerated().map { index, name in
      PlotCurves.Curve(
        name,
        [
          .init(x: 0, y: Double(index)), .init(x: 1, y: Double(index) * 1.5),
          .init(x: .nan, y: 3), .init(x: 2, y: .infinity, low: -.infinity, high: .nan),
        ], series: index)
    }
    return Plot([
      PlotPanel(
        names[0], note: names[9],
        .curves(PlotCurves(x: PlotAxis(names[1]), y: PlotAxis(names[2]), curves)))
    ])
  }()

  private static let emptyPlot: Plot = {
    let (x, y) = (PlotAxis("x"), PlotAxis("y"))
    let logarithmic = { (title: String) in PlotAxis(title, spacing: .logarithmic) }
    func panel(
      _ title: String, _ x: PlotAxis, _ y: PlotAxis, _ points: [PlotCurves.Point]
    ) -> PlotPanel {
      PlotPanel(title, .curves(PlotCurves(x: x, y: y, [.init("a", points, series: 0)])))
    }
    return Plot([
      PlotPanel(
        "no curves", .curves(PlotCurves(x: x, y: y, [])), emptyReason: "there are no points"),
      panel("no finite values", x, y, [.init(x: .nan, y: 1), .init(x: 1, y: .infinity)]),
      panel("nothing above 0", x, logarithmic("y"), [.init(x: 1, y: -1), .init(x: 2, y: 0)]),
      panel("one point", logarithmic("x"), y, [.init(x: 7, y: 5, low: 4, high: 6)]),
      panel("all equal", x, y, (0..<5).map { .init(x: Double($0), y: 0.3) }),
      panel(
        "enormous and tiny", x, logarithmic("y"),
        [.init(x: -1e300, y: 1e-300), .init(x: 1e300, y: 1e300)]),
    ])
  }()
}
