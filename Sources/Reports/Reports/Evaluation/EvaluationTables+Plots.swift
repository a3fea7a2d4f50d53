internal import Events
internal import Plots
internal import Replay
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// The most policies in a plot of weights or over time, in the order of the rows.
  private static let mostDrawn = 24

  /// The estimates of each policy with their intervals, as SVG.
  var estimatePlot: String {
    let methods = report.plan.intervals.map(\.specification.description)
    let rows = places.flatMap { place in
      tally(place).estimates.enumerated().flatMap { index, estimate in
        let intervals = estimate.intervals(level: report.level)
        return (0..<max(1, intervals.count)).map { method in
          let interval = method < intervals.count ? intervals[method] : nil
          return ForestPlot.Row(
            experiment: name(evaluation(place)),
            policy: "\(policy(place.policy)): \(verdict(place).answer.rawValue)",
            name: estimator(index) + (methods.count > 1 ? " · \(methods[method])" : ""),
            value: estimate.sums.value.flatMap { $0.isFinite ? $0 : nil },
            interval: interval.flatMap(Self.range), color: index)
        }
      }
    }
    let known = zip(evaluations, truths).compactMap { evaluation, truth in
      truth.sums.value.map { (name(evaluation), $0) }
    }
    return ForestPlot(rows, references: Dictionary(known) { first, _ in first }).svg
  }

  /// The distribution of the weights of each policy, as SVG.
  var weightPlot: String {
    WeightPlot(
      places.prefix(Self.mostDrawn).map { place in
        let weights = tally(place).weights
        let groups = WeightGroup.groups(weights.histogram)
        let total = groups.reduce(0) { $0 + $1.sum }
        let size = weights.effectiveSampleSize ?? 0
        return WeightPlot.Histogram(
          title: title(place),
          remark: "effective sample size \(ReadableDecimal.text(size.rounded())) of "
            + "\(weights.count), greatest weight \(ReadableDecimal.text(weights.greatest ?? 0))",
          bars: groups.map {
            WeightPlot.Bar(
              low: $0.low, decisions: Double($0.count) / Double(weights.count),
              weight: total > 0 ? $0.sum / total : 0)
          })
      }
    ).svg
  }

  /// The value of each policy over time by the first estimator that has it, as SVG.
  var timePlot: String {
    let index = report.plan.estimators.firstIndex { $0 is any TermEstimator }
    let curves = places.prefix(Self.mostDrawn).compactMap { place -> ValuePlot.Curve? in
      guard let periods = evaluation(place).periods, let index else { return nil }
      return ValuePlot.Curve(
        experiment: name(evaluation(place)), policy: policy(place.policy),
        points: points(tally(place), index, periods))
    }
    return ValuePlot(curves, title: index.map { "value by \(estimator($0))" } ?? "value").svg
  }

  private func points(
    _ tally: PolicyTally, _ index: Int, _ periods: EvaluationPeriods
  ) -> [ValuePlot.Point] {
    tally.periods.sorted { $0.key < $1.key }.compactMap { period, tally in
      guard let sums = tally.sums[index], let value = sums.value, value.isFinite else {
        return nil
      }
      let start = periods.start(period).description
      // Days need no time of day.
      let text = periods.length < 86_400_000_000 ? start.prefix(16) : start.prefix(10)
      return ValuePlot.Point(
        position: Double(period), start: String(text), value: value,
        interval: sums.interval(level: report.level).flatMap(Self.range))
    }
  }

  private static func range(_ interval: Interval) -> ClosedRange<Double>? {
    interval.low.isFinite && interval.high.isFinite ? interval.low...interval.high : nil
  }
}
