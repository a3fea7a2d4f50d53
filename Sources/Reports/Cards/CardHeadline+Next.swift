internal import Events
internal import Replay
internal import Specifications
internal import Tables

// What to do next.
extension CardHeadline {
  // MARK: By the plan

  /// Returns the next step of a plan for each variant, those of the same kind together.
  ///
  /// - Parameters:
  ///   - decisions: The decisions of the card.
  ///   - best: The best variant to ship; nil for none.
  /// - Returns: The steps.
  func steps(_ decisions: [PlannedDecision], _ best: NamedCells?) -> String {
    let steps = Recommendation.Action.allCases.compactMap { action -> String? in
      let own = decisions.filter { $0.recommendation.action == action }
      guard let first = own.first else { return nil }
      // The only thing to do needs no names.
      let which = own.count == decisions.count ? nil : names(own.map(\.row))
      switch action {
      case .ship: return best.map { shipping($0, of: own) }
      case .rollBack: return rollingBack(own.map(\.row))
      case .keepRunning: return running(first, which)
      case .stop: return which.map { "stop \($0)" } ?? stopping(first.row)
      case .notValid: return Self.remedy(of: damaged(first.row))
      }
    }
    return steps.isEmpty ? "wait for the first units" : steps.joined(separator: "; ")
  }

  private func shipping(_ best: NamedCells, of all: [PlannedDecision]) -> String {
    let others = all.count > 1 ? ", the best of \(names(all.map(\.row)))" : ""
    let open = card.guardrails(of: best, in: [.open, .untested])
    return "ship \(name(best))\(others)" + (open.isEmpty ? "" : ", and watch \(open.joined(separator: " and "))")
  }

  private func rollingBack(_ rows: [NamedCells]) -> String {
    let (better, others) = (
      rows.filter { ComparisonAnswer.verdict($0) == .better }, rows.filter { ComparisonAnswer.verdict($0) != .better }
    )
    let steps = better.map { row in
      let broken = card.guardrails(of: row, in: [.worse]).joined(separator: " and ")
      return "roll back \(name(row)), and mend \(broken) before another start"
    }
    return (steps + (others.isEmpty ? [] : ["roll back \(names(others)), and keep \(baseline(others[0]))"]))
      .joined(separator: "; ")
  }

  private func running(_ decision: PlannedDecision, _ which: String?) -> String {
    let keep = "keep running" + (which.map { " \($0)" } ?? "")
    let untested = card.guardrails(of: decision.row, in: [.untested]).joined(separator: " and ")
    if ComparisonAnswer.verdict(decision.row) == .better { return "\(keep) until \(untested) can be tested" }
    if let until = decision.recommendation.until {
      let day = decision.calendar.text(until).prefix { $0 != "T" } + (card.hasLooks ? ", the next look" : "")
      return decision.isLate
        ? "\(keep) beyond the planned end, until \(day)" : "\(keep) until \(day)"
    }
    let isOpen = card.context.entry?.stopping == .everyLook && card.context.entry?.minimumEffect == nil
    return keep
      + (isOpen ? "; minimum_effect in the analysis file would say until when" : "; until when is not known yet")
  }

  private func stopping(_ row: NamedCells) -> String {
    guard !isUntested else { return "plan more units: these are too few for a test" }
    let stop = "stop, and keep \(baseline(row))"
    guard range != nil else { return stop + "; plan more units if a large effect is not to be missed" }
    guard let effect = card.context.entry?.minimumEffect else {
      return stop + "; plan more units if an effect within the interval matters"
    }
    let planned = "the planned lift of \(AnswerNumber.percent(effect))"
    if card.goal.allSatisfy({ isRuledOut(effect, by: $0) }) { return "\(stop): \(planned) is ruled out" }
    return card.context.entry?.stopping == .everyLook
      ? "\(stop): \(planned) was not found in the units that it needs"
      : "\(stop): \(planned) was not found, and is not ruled out; plan more units if it matters"
  }

  /// Whether a gain, of a neutral metric also a loss, is beyond the interval of a row.
  private func isRuledOut(_ effect: Double, by row: NamedCells) -> Bool {
    let (low, high) = (row.number("lift_ci_low"), row.number("lift_ci_high"))
    let sides = metric.direction == .neutral ? [1, -1] : [metric.direction.sign]
    return sides.allSatisfy { side in
      (side > 0 ? high : low).map { side * $0 < effect } ?? false
    }
  }

  /// Returns the row of the goal or of a guardrail for which a variant is not valid.
  private func damaged(_ goal: NamedCells) -> NamedCells {
    let own = card.rows.filter { $0.hasVariant(of: goal) }
    return own.first { ComparisonAnswer.verdict($0) == .notValid }
      ?? own.first { ComparisonAnswer.check(of: $0) == .sampleRatio } ?? goal
  }

  // MARK: Without a plan

  /// Returns the next step where a variant is better: a test of one look is one of the look that was planned.
  func shipping(_ best: NamedCells) -> String {
    card.context.plan.method.isSequential
      ? "ship \(name(best))"
      : "ship \(name(best)) if this look was planned; an analysis file allows one every day"
  }

  /// Returns the next step where a variant gains in one metric and loses in another.
  func weighing(_ row: NamedCells) -> String {
    "weigh the metrics before \(name(row)) takes the place of \(baseline(row)); guardrails of an analysis file say how "
      + "much may be lost"
  }

  /// Returns what to do about data that cannot be compared.
  static func remedy(of row: NamedCells) -> String {
    let isDamaged = ComparisonAnswer.verdict(row) == .notValid
    let discard = "do not use these numbers; "
    switch ComparisonAnswer.check(of: row) {
    case .sampleRatio where isDamaged: return discard + "find out why the split went wrong, mend it and start anew"
    case .sampleRatio: return "test the split first: read the log itself, or give the shares of the variants"
    case .crossedUnits:
      return discard + "start anew, so that each unit stays in one variant"
    case .preExposureConversions, .preExposureRevenue, .preExposureGoals:
      return discard + "the variants differed before they were seen: assign units anew"
    default: break
    }
    if isDamaged { return discard + "report health has what is wrong" }
    return ComparisonAnswer.rule(of: row) == VerdictFinding.adaptivePolicy
      ? "see report adaptive, which is valid where a policy learned" : "nothing, until there is something to compare"
  }
}
