internal import Bandits
internal import Specifications
internal import Statistics
internal import Tables

extension SimulationTables {
  /// The best policy of an environment.
  private struct Best {
    var environment: String
    var policy: String
    var regret: Moments
    /// The policies whose difference to it may be due to chance.
    var ties: [String]
    var rivals: Int
  }

  /// Sets which policy is best, by how much regret, and whether the difference is beyond chance; and the method.
  func answer(_ table: inout Table) {
    let all = plan.environments.indices.compactMap(best)
    let test = plan.isPaired ? "paired t test" : "Welch's t test"
    if all.count > 2 {
      table.answer = summary(all)
    } else {
      table.answer = all.map { sentence($0, test) }
    }
    table.method = TableMethod(
      "\(AnswerText.count(plan.runs, "run")) of \(AnswerText.count(plan.rules.horizon, "decision")), seed "
        + "\(plan.seed), \(test) with Holm's correction, \(Percent.text(level))")
  }

  private func best(_ place: Int) -> Best? {
    let regrets = regrets(place)
    let spreads = regrets.map { Moments($0) }
    guard
      let best = plan.policies.indices.filter({ spreads[$0].mean?.isFinite == true }).min(by: {
        (spreads[$0].mean ?? 0, $0) < (spreads[$1].mean ?? 0, $1)
      })
    else { return nil }
    let ranking = PolicyRanking(regrets, isPaired: plan.isPaired, level: level)
    let beaten = Set(
      ranking.differences.compactMap { difference -> Int? in
        guard difference.adjustedPValue.map({ $0 < 1 - level }) == true else { return nil }
        if difference.first == best, difference.mean < 0 { return difference.second }
        return difference.second == best && difference.mean > 0 ? difference.first : nil
      })
    let ties = plan.policies.indices.filter { $0 != best && !beaten.contains($0) }
    return Best(
      environment: prepared.environments[place].specification.description,
      policy: "\(plan.policies[best])", regret: spreads[best],
      ties: ties.map { "\(plan.policies[$0])" }, rivals: plan.policies.count - 1)
  }

  private func sentence(_ best: Best, _ test: String) -> String {
    let regret = AnswerText.number(best.regret.mean ?? 0)
    let error = best.regret.standardError.map { " (standard error \(AnswerText.number($0)))" } ?? ""
    let steps = AnswerText.count(plan.rules.horizon, "decision")
    guard best.rivals > 0 else {
      return
        "\(best.environment): \(best.policy) has a mean regret of \(regret)\(error) after \(steps)."
    }
    let start =
      "\(best.environment): \(best.policy) has the lowest mean regret after \(steps), \(regret)\(error); "
    if plan.runs < 2 { return start + "one run does not tell whether that is chance." }
    if best.ties.isEmpty {
      return start + "its lead over every other policy is beyond chance (\(test))."
    }
    let ties = AnswerText.list(best.ties, most: 4)
    return start + "its lead over \(ties) may be chance (\(test))."
  }

  private func summary(_ all: [Best]) -> [String] {
    let list = all.map {
      "\($0.policy) in \($0.environment) (\(AnswerText.number($0.regret.mean ?? 0)))"
    }
    let clear = all.count { $0.rivals > 0 && $0.ties.isEmpty }
    return [
      "The lowest mean regret after \(AnswerText.count(plan.rules.horizon, "decision")): "
        + "\(AnswerText.list(list, most: 4)).",
      "The lead over every other policy is beyond chance in \(clear) of \(all.count) environments.",
    ]
  }
}
