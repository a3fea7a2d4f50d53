internal import Replay
internal import Specifications
internal import Tables

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

  /// What an effect is on, such as `the share of units that reach purchase` or `revenue per unit`.
  var subject: String { metric.isBinary && metric.label == nil ? "the share of \(name)" : name }

  private var action: String { metric.term.goal.map { "reach \($0)" } ?? "convert" }

  private func text(_ term: Metric.Term) -> String {
    term.goal.map { "\(term.count.rawValue) of \($0)" } ?? term.count.rawValue
  }

  /// Returns the name in sentences; another noun for a metric without a name.
  func noun(or plain: String) -> String { metric.label?.words ?? plain }

  /// Returns a mean, or a sum of values, in the answer of a report: with decimals and unit if the metric has a name.
  func answer(_ number: Double, isSum: Bool = false) -> String {
    guard metric.label != nil else { return AnswerText.number(number) }
    return isSum ? value(number) : mean(number)
  }

  /// Returns what changed by how much, such as `4.1 % more units convert` or `revenue per unit is 2.0 % lower`.
  func change(_ lift: Double?, _ difference: Double?) -> String {
    let isMore = (lift ?? difference ?? 0) > 0
    let amount =
      lift.map { AnswerNumber.percent($0.magnitude) }
      ?? difference.map { size($0.magnitude) }
      ?? "an unknown amount"
    return metric.isBinary && metric.label == nil
      ? "\(amount) \(isMore ? "more" : "fewer") units \(action)"
      : "\(name) is \(amount) \(isMore ? "higher" : "lower")"
  }

  /// Returns a difference as it stands in a table, such as `+0.5 pp` of shares or `-1.3`.
  func difference(_ difference: Double) -> String {
    (difference > 0 ? "+" : "") + size(difference)
  }

  /// Returns a difference without the sign of a rise; one of a metric without a name as it is given.
  func size(_ difference: Double, or plain: ((Double) -> String)? = nil) -> String {
    if let plain, metric.label == nil { return plain(difference) }
    return metric.isBinary ? Self.points(difference) : value(difference)
  }

  /// Returns a mean as it stands in a table, such as `11.8 %` of shares or `240 ms`.
  func mean(_ mean: Double) -> String {
    metric.isBinary && metric.label?.unit == nil ? AnswerNumber.percent(mean) : value(mean)
  }

  /// Returns a value with the decimals and the unit of the metric; with more decimals where these would make it 0.
  private func value(_ value: Double) -> String {
    let fixed = metric.label?.decimals.map { NumberText.fixed(value, places: $0) }
    let isLost = value != 0 && fixed?.allSatisfy { "-0.".contains($0) } ?? false
    let number = isLost ? nil : fixed
    return (number ?? AnswerNumber.number(value)) + (metric.label?.unit.map { " \($0)" } ?? "")
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
