/// Thresholds of a share that should be small.
struct ShareRule {
  /// A larger share is a warning; nil if the check only reports.
  var warning: Double?
  /// A larger share fails; nil if the check never fails.
  var failure: Double?

  /// Warns above 0, fails above 1 %.
  static let never = ShareRule(warning: 0, failure: 0.01)
  /// Fails above 0.
  static let impossible = ShareRule(failure: 0)
  /// Warns above 0.
  static let suspicious = ShareRule(warning: 0)
  /// Only reported.
  static let harmless = ShareRule()

  /// Returns a check of a share, judged by the rule.
  func check(_ check: HealthCheck, _ count: Int, of total: Int, _ what: String) -> HealthCheck {
    var check = check
    check.count = count
    check.total = total
    check.threshold = failure ?? warning
    guard total > 0 else { return check.saying("there are no \(what)") }
    let share = Double(count) / Double(total)
    check.value = share
    check.expected = 0
    check.verdict = verdict(share)
    check.detail = "\(count) of \(total) \(what)"
    return check
  }

  private func verdict(_ share: Double) -> HealthVerdict {
    if let failure, share > failure { return .failed }
    if let warning, share > warning { return .warning }
    return .ok
  }
}

/// Thresholds of a p-value.
struct PValueRule {
  /// A smaller p-value is a warning; nil for no warning.
  var warning: Double?
  /// A smaller p-value fails.
  var failure: Double

  /// The default of most tests: warning below 0.01, failed below 0.001.
  static let usual = PValueRule(warning: 0.01, failure: 0.001)

  func verdict(_ pValue: Double) -> HealthVerdict {
    if pValue < failure { return .failed }
    if let warning, pValue < warning { return .warning }
    return .ok
  }
}
