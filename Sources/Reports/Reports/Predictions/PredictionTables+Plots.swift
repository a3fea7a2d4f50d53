internal import Plots
internal import Prediction
internal import Replay
internal import Statistics
internal import Tables

extension PredictionTables {
  /// The maximum number of studies and values of the dimension in a plot: those with the most takes.
  private static let mostDrawn = 24
  /// The minimum number of takes of a point on a learning curve, unless no point has as many.
  private static let leastTakes = 20

  /// Reliability diagrams of each study and predictor, as SVG.
  public var reliabilityPlot: String {
    let drawn = drawn
    return ReliabilityPlot(
      drawn.flatMap { group in
        wanted.compactMap { place in
          scores(place, group).map { scores in
            ReliabilityPlot.Diagram(
              study: title(group), predictor: predictor(place), remark: Self.remark(scores),
              bins: scores.reliability.compactMap(Self.bin))
          }
        }
      }, omitted: groups.count - drawn.count
    ).svg
  }

  /// Learning curves of each study, with a line for each predictor, as SVG.
  public var learningPlot: String {
    let drawn = drawn
    return LearningPlot(
      drawn.flatMap { group in
        wanted.compactMap { place in
          scores(place, group).map { scores in
            LearningPlot.Curve(
              study: title(group), predictor: predictor(place),
              points: Self.points(scores.byHistory))
          }
        }
      }, omitted: groups.count - drawn.count
    ).svg
  }

  /// The studies and values in the plots, sorted by name.
  private var drawn: [Group] {
    let taken = groups.map { group in
      (
        group: group,
        events: result.predictors.indices.first.flatMap { scores($0, group) }?.events ?? 0
      )
    }
    let most = taken.indices.sorted { (-taken[$0].events, $0) < (-taken[$1].events, $1) }
    return most.prefix(Self.mostDrawn).map { taken[$0].group }.sorted { a, b in
      let (first, second) = (title(a), title(b))
      if first.utf8.elementsEqual(second.utf8) { return (a.study, a.value) < (b.study, b.value) }
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }

  private func title(_ group: Group) -> String {
    guard dimension != nil else { return name(group.study) }
    return "\(name(group.study)) · \(value(group) ?? "unknown")"
  }

  private static func remark(_ scores: PredictionScores) -> String {
    let error = scores.calibrationError.map {
      "ECE " + ReadableDecimal.text(($0 * 1e3).rounded() / 1e3)
    }
    return [error, "\(scores.events) takes"].compactMap { $0 }.joined(separator: ", ")
  }

  private static func bin(_ row: ReliabilityRow) -> ReliabilityPlot.Bin? {
    guard let low = row.low, let high = row.high, let confidence = row.confidence,
      let rate = row.rate, let interval = row.interval, low <= high
    else { return nil }
    return ReliabilityPlot.Bin(
      low...high, count: row.count, confidence: confidence, rate: rate,
      interval: interval.low...interval.high)
  }

  private static func points(_ curve: LearningCurve) -> [LearningPlot.Point] {
    let least = min(leastTakes, curve.points.map(\.events).max() ?? 0)
    return curve.points.compactMap { point in
      guard point.events >= max(1, least), let rate = point.hitRate, let loss = point.logLoss
      else { return nil }
      let end = point.high ?? point.low
      return LearningPlot.Point(
        earlier: Double(point.low) + Double(end - point.low) / 2, hitRate: rate, logLoss: loss)
    }
  }
}
