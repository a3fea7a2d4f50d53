internal import OffPolicy
internal import Replay
internal import Specifications
internal import Tables

extension EvaluationTables {
  /// The maximum number of policies with sentences among the notes.
  private static let mostSentences = 20

  /// Notes the rules and what was left out, and sets the answer.
  func note(_ table: inout Table) {
    answer(&table)
    let plan = report.plan
    table.note("attribution", plan.attribution.description)
    let goals = evaluations.reduce(into: CreditedGoals()) { $0.merge($1.rewards.goals) }
    table.note(metric: plan.attribution.metric, goals, names)
    table.answerAddedGoals()
    table.note("reward_model", plan.modelNote)
    table.note("folds", plan.folds)
    table.note("level", report.level)
    noteRules(&table)
    let ledger = evaluations.reduce(into: EvaluationLedger()) { $0.merge($1.ledger) }
    table.note(ledger.noted)
    noteLearned(&table)
    note(learners.compactMap(\.tally.scaleNote).distinctNames, "reward_scale", &table)
    noteWholeDecisions(ledger, &table)
    noteLogging(&table)
    note(
      report.table == .windows ? places.compactMap(windowSentence) : [], "window", &table)
    note(truths.isEmpty ? [] : places.map(truthSentence), "trust", &table)
  }

  func note(_ sentences: [String], _ name: String, _ table: inout Table) {
    for (index, sentence) in sentences.prefix(Self.mostSentences).enumerated() {
      let name = sentences.count == 1 ? name : "\(name)_\(index + 1)"
      table.note(name, sentence)
    }
    if sentences.count > Self.mostSentences {
      table.note("\(name)_not_listed", sentences.count - Self.mostSentences)
    }
  }

  /// Notes what learned policies never saw, and what an agent serves of them.
  private func noteLearned(_ table: inout Table) {
    let learned = places.filter { report.plan.policies[$0.policy] is LearnedTarget }
    guard !learned.isEmpty else { return }
    note(
      learned.map {
        "\(title($0)): \(tally($0).unseen) of \(evaluation($0).ledger.decisions) decisions have a slot, a choice or a "
          + "value of an attribute that it never saw"
      }, "unseen", &table)
    guard learned.contains(where: { specification($0)["control-share"] == nil }) else { return }
    table.note(
      "control_share",
      "the value is that of the policy alone; an agent draws its controlShare of the decisions, 0.1 by default, by "
        + "fixed weights: add control-share=0.1 to learned:path=... for what it serves with equal ones")
  }

  private func specification(_ place: Place) -> Specification {
    report.plan.policies[place.policy].specification
  }

  private func noteRules(_ table: inout Table) {
    table.note(
      "rule_verdict", "see `bandolier explain evaluate`; --table support has the numbers behind it")
    let plan = report.plan
    let other = plan.estimators.filter { !($0 is any TermEstimator) }
      .map(\.specification.description)
    if !other.isEmpty, report.table == .versus || report.table == .time || report.table == .truth {
      table.note(
        "estimators_without",
        .text(
          "\(other.joined(separator: ", ")): no paired difference, value over time or bootstrap, which only estimators "
            + "have that are sums of terms of single decisions"))
    }
    notePeriods(&table)
  }

  /// Notes how long the periods are; experiments may differ, and their order does not show.
  private func notePeriods(_ table: inout Table) {
    let lengths = Set(evaluations.compactMap { $0.periods?.length }).sorted()
    guard report.table == .time, !lengths.isEmpty else { return }
    table.note(
      "period",
      "\(lengths.map(DurationText.text).joined(separator: " or ")), the shortest with which there are at most "
        + "\(EvaluationPeriods.most), from the first to the last decision")
  }

  /// Notes whether one fixed policy can have logged the propensities.
  private func noteLogging(_ table: inout Table) {
    let pairs = evaluations.reduce(0) { $0 + $1.logging.pairs }
    let varying = evaluations.reduce(0) { $0 + $1.logging.varyingPairs }
    guard pairs > 0 else { return }
    table.note(
      "logged_propensities",
      varying == 0
        ? "constant: each variant always has the same one at its slot"
        : "\(varying) of \(pairs) variants of a slot have more than one: the logging policy looked at the context, "
          + "learned, or had choices that changed")
  }

  /// Returns what the longest of the other windows would change, in a sentence.
  func windowSentence(_ place: Place) -> String? {
    let base = report.plan.attribution.metricWindow
    let others = windows.filter { $0.window != base }
    guard let longest = others.max(by: { ($0.window ?? .max) < ($1.window ?? .max) }),
      let other = longest.evaluations[evaluation(place).experiment], let own = tally(place).estimates.first?.sums.value,
      let value = other.policies[place.policy].estimates.first?.sums.value
    else { return nil }
    let change = (own == 0 ? nil : (value - own) / abs(own)).map {
      " (\($0 < 0 ? "" : "+")\(Percent.text(($0 * 1_000).rounded() / 1_000)))"
    }
    return
      "\(title(place)): with the window \(Self.text(window: longest.window)) instead of "
      + "\(Self.text(window: base)) the value by \(estimator(0)) would be "
      + "\(NumberText.readable(value)) instead of \(NumberText.readable(own))\(change ?? "")"
  }
}
