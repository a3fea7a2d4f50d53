internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension Comparison {
  /// Returns which variant is better, or why nothing can be said.
  ///
  /// - Parameters:
  ///   - plan: The plan of the comparison.
  ///   - adjusted: The p-value, adjusted over all rows.
  ///   - known: What is known of the data.
  /// - Returns: The verdict, its reason (findings that forbid reading, else what decided), and all warnings.
  func verdict(
    _ plan: ComparisonPlan, adjusted: Double?, _ known: [VerdictFinding] = []
  ) -> JudgedComparison {
    let findings = known + self.findings
    let forbidding = findings.filter { $0.effect == .forbids }
    let warnings = findings.filter { $0.effect == .warns }
    let nothing = ["no_test: \(status ?? "nothing was tested")"]
    guard !isAlone else { return judged(.notCompared, nothing, []) }
    guard forbidding.isEmpty else { return judged(.notValid, forbidding.map(\.reason), warnings) }
    let obstacles = findings.filter { $0.effect == .untestable || $0.effect == .early }
    guard obstacles.isEmpty else {
      let isEarly = obstacles.allSatisfy { $0.effect == .early }
      return judged(isEarly ? .tooEarly : .notCompared, obstacles.map(\.reason), warnings)
    }
    guard let tested = tested(plan, adjusted) else {
      return judged(.notCompared, nothing, warnings)
    }
    return judged(tested.verdict, [tested.reason], warnings)
  }

  private func judged(
    _ verdict: ComparisonVerdict, _ reasons: [String], _ warnings: [VerdictFinding]
  ) -> JudgedComparison {
    JudgedComparison(
      verdict: verdict, reason: reasons.joined(separator: "; "),
      warnings: warnings.map(\.reason).joined(separator: "; "))
  }

  /// Returns what the test, boundary, posterior or interval says; nil if nothing was tested.
  private func tested(_ plan: ComparisonPlan, _ adjusted: Double?) -> JudgedComparison? {
    guard let difference else { return nil }
    if plan.margin != nil {
      return adjusted.map {
        Self.byPValue($0, plan, $0 < plan.alpha ? .marginKept : .marginOpen)
      }
    }
    if isEarly {
      return JudgedComparison(verdict: .tooEarly, reason: "\(VerdictFinding.fewEvents): \(status ?? "not yet")")
    }
    let sign = signed ?? difference.estimate
    let isAbove = plan.alternative == .greater || (plan.alternative == .twoSided && sign > 0)
    let side = ComparisonVerdict(isAbove: isAbove, direction)
    if let boundary {
      return difference.statistic.map { Self.byBoundary($0, boundary, side) }
    }
    if let adjusted {
      return Self.byPValue(adjusted, plan, adjusted < plan.alpha ? side : .noDifference)
    }
    if plan.method.isBayesian, let chanceAbove { return byChance(chanceAbove, plan) }
    return difference.interval.flatMap { interval in
      guard interval.width > 0 else { return nil }
      let holds = interval.contains(0)
      return JudgedComparison(
        verdict: holds ? .noDifference : side,
        reason: "interval: the interval of the difference \(holds ? "contains" : "leaves out") 0")
    }
  }

  private static func byPValue(
    _ pValue: Double, _ plan: ComparisonPlan, _ verdict: ComparisonVerdict
  ) -> JudgedComparison {
    let limit = NumberText.readable(plan.alpha)
    return JudgedComparison(
      verdict: verdict,
      reason:
        "p_value: \(NumberText.readable(pValue)) is \(pValue < plan.alpha ? "below" : "not below") \(limit)"
        + (plan.correction.map { ", adjusted (\($0.rawValue))" } ?? ""))
  }

  private static func byBoundary(
    _ statistic: Double, _ boundary: Double, _ side: ComparisonVerdict
  ) -> JudgedComparison {
    let isBeyond = abs(statistic) >= boundary
    return JudgedComparison(
      verdict: isBeyond ? side : .noDifference,
      reason:
        "boundary: statistic \(AnswerNumber.number(statistic)) is \(isBeyond ? "beyond" : "within") "
        + "\(AnswerNumber.number(boundary))"
    )
  }

  private func byChance(_ chance: Double, _ plan: ComparisonPlan) -> JudgedComparison {
    let (low, high) = (plan.alpha / 2, 1 - plan.alpha / 2)
    let verdict =
      chance >= high
      ? ComparisonVerdict(isAbove: true, direction)
      : chance <= low ? ComparisonVerdict(isAbove: false, direction) : .noDifference
    let (best, worst) = direction == .neutral ? ("higher", "lower") : ("better", "worse")
    return JudgedComparison(
      verdict: verdict,
      reason:
        "chance_to_win: \(AnswerNumber.number(chanceToWin ?? chance)); \(best) from \(AnswerNumber.number(high)), "
        + "\(worst) up to \(AnswerNumber.number(low))")
  }
}
