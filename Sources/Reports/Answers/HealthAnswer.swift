internal import Tables

/// The sentences of the report `health`, made of its checks.
struct HealthAnswer {
  let checks: [HealthCheck]

  /// The maximum number of checks that a sentence names.
  private static let listed = 3

  /// At most three sentences: failed checks, warnings, and how many passed.
  var sentences: [String] {
    guard !checks.isEmpty else { return [] }
    var sentences: [String] = []
    let (failed, warnings) = (named(.failed), named(.warning))
    if !failed.isEmpty {
      let verb = failed.count == 1 ? "check failed" : "checks failed"
      sentences.append("\(failed.count) \(verb): \(list(failed)).")
    }
    if !warnings.isEmpty {
      let noun = warnings.count == 1 ? "warning" : "warnings"
      sentences.append("\(warnings.count) \(noun): \(list(warnings)).")
    }
    let passed = checks.count { $0.verdict == .ok && $0.name != .sampleRatioUnits }
    let skipped = checks.count { $0.verdict == .notApplicable && $0.name != .sampleRatioUnits }
    let rest = skipped == 0 ? "" : "; \(skipped) did not apply"
    sentences.append(
      (failed.isEmpty && warnings.isEmpty ? "No check failed or warned: " : "")
        + "\(passed) \(passed == 1 ? "check" : "checks") passed\(rest).")
    return sentences
  }

  /// The checks of a verdict, those of a share or test first; the units of single variants repeat the sample ratio.
  private func named(_ verdict: HealthVerdict) -> [HealthCheck] {
    checks.filter { $0.verdict == verdict && $0.name != .sampleRatioUnits }
      .enumerated().sorted { a, b in
        let (first, second) = (Self.rank(a.element), Self.rank(b.element))
        return first == second ? a.offset < b.offset : first < second
      }.map(\.element)
  }

  /// What damages comparisons most comes first.
  private static func rank(_ check: HealthCheck) -> Int {
    switch check.name {
    case .sampleRatio: 0
    case .lostEvents: 1
    case .crossedUnits: 2
    case .preExposureConversions, .preExposureRevenue, .preExposureGoals: 3
    case .sampleRatioSequential: 5
    default: 4
    }
  }

  private func list(_ checks: [HealthCheck]) -> String {
    let texts = checks.prefix(Self.listed).map { check in
      var place = [check.experiment, check.variant].compactMap { $0 }.joined(separator: "/")
      if !place.isEmpty { place = " of \(place)" }
      return "\(check.name.rawValue)\(place) (\(what(check)))"
    }
    let rest = checks.count - texts.count
    return texts.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private func what(_ check: HealthCheck) -> String {
    if let pValue = check.pValue { return AnswerNumber.pValue(pValue) }
    if let count = check.count, let total = check.total, let share = check.value {
      return "\(count) of \(total), \(AnswerNumber.percent(share))"
    }
    return check.detail
  }
}
