/// From which share on something that should be rare is worth a warning, or spoils the data.
struct ShareRule {
  /// A larger share is a warning; nil when the check only reports.
  var warning: Double?
  /// A larger share fails; nil when the check never does.
  var failure: Double?

  /// Any at all is a warning, more than 1 % fails.
  static let never = ShareRule(warning: 0, failure: 0.01)
  /// Any at all fails.
  static let impossible = ShareRule(failure: 0)
  /// Any at all is a warning.
  static let suspicious = ShareRule(warning: 0)
  /// Only reported.
  static let harmless = ShareRule()

  /// The share, and what the rule says of it.
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

/// From which p-value on a difference is taken for one.
struct PValueRule {
  /// A smaller p-value is a warning; nil when there is none.
  var warning: Double?
  /// A smaller p-value fails.
  var failure: Double

  /// Most tests: a warning below 0.01, failed below 0.001.
  static let usual = PValueRule(warning: 0.01, failure: 0.001)

  func verdict(_ pValue: Double) -> HealthVerdict {
    if pValue < failure { return .failed }
    if let warning, pValue < warning { return .warning }
    return .ok
  }
}
