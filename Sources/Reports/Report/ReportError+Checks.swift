internal import Replay
internal import Specifications

/// The range checks that reports share. Each names a parameter as the option of the command is spelled.
extension ReportError {
  /// Throws an error for a parameter, such as `window-days must be at least 1`, unless the condition holds.
  static func require(
    _ condition: Bool, _ name: String, _ problem: @autoclosure () -> String
  ) throws(ReportError) {
    guard condition else { throw ReportError(.badParameter, "\(name) \(problem())") }
  }

  /// Throws an error for a confidence level that is not between 0 and 1, exclusive.
  static func check(level: Double) throws(ReportError) {
    try require(level > 0 && level < 1, "alpha", "must be between 0 and 1, such as 0.05")
  }

  /// Throws an error for an attribution with a parameter out of range.
  static func check(_ attribution: Attribution) throws(ReportError) {
    try check(window: attribution.window)
    try check(window: attribution.conversionWindow)
    try require(attribution.delay >= 0, "delay", "must not be negative")
    try require(attribution.limit.map { $0 >= 1 } ?? true, "limit", "must be at least 1")
    if let minimum = attribution.minimum, let maximum = attribution.maximum {
      try require(
        minimum <= maximum, "minimum",
        "\(NumberText.readable(minimum)) is above the maximum \(NumberText.readable(maximum)), so that no goal counts")
    }
    try require(
      !attribution.excludesInProgress || attribution.end != nil, "without-in-progress",
      "needs an end of the analysis (--end)")
    try require(
      !attribution.metric.isBinary || attribution.rule != .linear, "attribution",
      "linear divides a value among decisions, which converted has none of; use last, first or all")
  }

  /// Throws an error for a conversion window that is not longer than 0.
  static func check(window: Int64?, _ name: String = "window") throws(ReportError) {
    try require(window.map { $0 > 0 } ?? true, name, "must be longer than 0, such as 7d, or none for no window")
  }

  /// Throws an error for an outlier cap out of range.
  static func check(_ capping: Capping?) throws(ReportError) {
    switch capping {
    case .absolute(let cap): try require(cap > 0 && cap.isFinite, "cap", "must be above 0")
    case .percentile(let p, ignoringZeros: _):
      try require(p > 0 && p < 1, "cap-percentile", "must be between 0 and 1, such as 0.99")
    case nil: break
    }
  }
}
