/// Every report's explanation, by the name of the report.
public enum Explanations {
  /// All of them, in the order in which they are listed.
  public static let all: [Explanation] = [
    rewards, compare, conversions, quantiles, regret, adaptive, health, series, visits, funnel,
    retention, power, predictions,
  ]

  /// The explanation of a report; nil when there is no such report.
  public static func of(_ report: String) -> Explanation? {
    all.first { $0.report == report }
  }
}
