internal import Tables

/// The sentences of the report `health`, made of its rows.
struct HealthAnswer {
  private let checks: [NamedCells]

  init(_ table: Table) {
    // The units of single variants repeat the sample ratio.
    checks = NamedCells.rows(of: table).filter {
      $0.text("check") != HealthCheck.Name.sampleRatioUnits.rawValue
    }
  }

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
    let (passed, skipped) = (named(.ok).count, named(.notApplicable).count)
    let rest = skipped == 0 ? "" : "; \(skipped) did not apply"
    sentences.append(
      (failed.isEmpty && warnings.isEmpty ? "No check failed or warned: " : "")
        + "\(passed) \(passed == 1 ? "check" : "checks") passed\(rest).")
    return sentences
  }

  /// The checks of a verdict, those first that damage comparisons most.
  private func named(_ verdict: HealthVerdict) -> [NamedCells] {
    checks.filter { $0.text("verdict") == verdict.rawValue }
      .enumerated().sorted { a, b in
        let (first, second) = (Self.rank(a.element), Self.rank(b.element))
        return first == second ? a.offset < b.offset : first < second
      }.map(\.element)
  }

  private static func rank(_ check: NamedCells) -> Int {
    switch check.text("check").flatMap(HealthCheck.Name.init(rawValue:)) {
    case .sampleRatio: 0
    case .lostEvents: 1
    case .crossedUnits: 2
    case .preExposureConversions, .preExposureRevenue, .preExposureGoals: 3
    case .sampleRatioSequential: 5
    default: 4
    }
  }

  private func list(_ checks: [NamedCells]) -> String {
    let texts = checks.prefix(Self.listed).map { check in
      let place = [check.placeName, check.text("variant") ?? ""].filter { !$0.isEmpty }
      let of = place.isEmpty ? "" : " of \(place.joined(separator: "/"))"
      return "\(check.text("check") ?? "")\(of) (\(what(check)))"
    }
    let rest = checks.count - texts.count
    return texts.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private func what(_ check: NamedCells) -> String {
    if let pValue = check.number("p_value") { return AnswerNumber.pValue(pValue) }
    if let count = check.number("count"), let total = check.number("total"),
      let share = check.number("value")
    {
      return
        "\(AnswerNumber.number(count)) of \(AnswerNumber.number(total)), \(AnswerNumber.percent(share))"
    }
    return check.text("detail") ?? ""
  }
}
