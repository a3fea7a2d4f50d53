internal import Replay
internal import Specifications

/// A metric and a change of it in words.
struct MetricWords {
  private let metric: Metric

  init(_ metric: Metric) { self.metric = metric }

  /// The heading of its column, such as `converted`.
  var heading: String { metric.denominator == nil ? metric.term.count.rawValue : "ratio" }

  /// What is measured, such as `revenue per unit`.
  var name: String {
    if let label = metric.label { return label.words }
    guard let denominator = metric.denominator else {
      return metric.isBinary ? "units that \(action)" : "\(text(metric.term)) per unit"
    }
    return "\(text(metric.term)) over \(text(denominator))"
  }

  private var action: String { metric.term.goal.map { "reach \($0)" } ?? "convert" }

  private func text(_ term: Metric.Term) -> String {
    term.goal.map { "\(term.count.rawValue) of \($0)" } ?? term.count.rawValue
  }

  /// Returns what changed by how much, such as `4.1 % more units convert` or `revenue per unit is 2.0 % lower`.
  func change(_ lift: Double?, _ difference: Double?) -> String {
    let isMore = (lift ?? difference ?? 0) > 0
    let size =
      lift.map { AnswerNumber.percent($0.magnitude) }
      ?? difference.map { metric.isBinary ? Self.points($0.magnitude) : value($0.magnitude) }
      ?? "an unknown amount"
    return metric.isBinary && metric.label == nil
      ? "\(size) \(isMore ? "more" : "fewer") units \(action)"
      : "\(name) is \(size) \(isMore ? "higher" : "lower")"
  }

  /// Returns a difference as it stands in a table, such as `+0.5 pp` of shares or `-1.3`.
  func difference(_ difference: Double) -> String {
    (difference > 0 ? "+" : "")
      + (metric.isBinary ? Self.points(difference) : value(difference))
  }

  /// Returns a mean as it stands in a table, such as `11.8 %` of shares or `240 ms`.
  func mean(_ mean: Double) -> String {
    metric.isBinary && metric.label?.unit == nil ? AnswerNumber.percent(mean) : value(mean)
  }

  /// Returns a value with the decimals and the unit of the metric.
  private func value(_ value: Double) -> String {
    let number =
      metric.label?.decimals.map { NumberText.fixed(value, places: $0) } ?? AnswerNumber.number(value)
    return number + (metric.label?.unit.map { " \($0)" } ?? "")
  }

  /// Returns a difference of shares in percentage points.
  private static func points(_ difference: Double) -> String {
    let points = difference * 100
    return AnswerNumber.significant(points) + " pp"
  }
}

extension Metric.Label {
  /// The name in sentences.
  var words: String { title ?? name }
}
