internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Sets whether the log can tell what the policies would earn, the worst first, and how much; and the method. The
  /// sentences on many policies are in the notes.
  func answer(_ table: inout Table) {
    let judged = judged
    let verdicts = judged.map { "\($0.title): \($0.verdict.sentence)" }
    let differences = places.compactMap(versusSentence)
    let others =
      (truths.isEmpty ? [] : places.map(truthSentence))
      + (report.table == .windows ? places.compactMap(windowSentence) : [])
    if judged.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if AnswerText.answer(verdicts + differences + others).count
      == verdicts.count + differences.count + others.count
    {
      let ordered = judged.indices.sorted {
        (Self.severity(judged[$0].verdict), $0) < (Self.severity(judged[$1].verdict), $1)
      }
      table.answer = ordered.map { verdicts[$0] + worth(judged[$0].verdict, $0) } + differences + others
    } else {
      table.answer = AnswerText.answer([summary(judged)] + differences + others)
      note(verdicts, "verdict", &table)
      note(differences, "difference", &table)
    }
    let names = report.plan.estimators.map(\.specification.description)
    table.method = TableMethod(
      "\(AnswerText.list(names)); intervals \(Percent.text(report.level)), errors by unit",
      report: EvaluationReport.name)
  }

  private static func severity(_ verdict: EvaluationVerdict) -> Int {
    switch verdict.answer {
    case .cannotAnswer: 0
    case .weak: 1
    case .answers: 2
    }
  }

  /// Returns the value of a judged policy by the first estimator, as the end of a sentence; empty where the log cannot
  /// tell.
  private func worth(_ verdict: EvaluationVerdict, _ index: Int) -> String {
    guard index < places.count, verdict.answer != .cannotAnswer,
      let estimate = tally(places[index]).estimates.first, let value = estimate.sums.value
    else { return "" }
    let metric = report.rewards.metric.metric
    let words = MetricWords(metric)
    let interval = estimate.intervals(level: report.level).first.flatMap { $0 }.map {
      " (\(Percent.text(report.level)) interval \(words.answer($0.low)) to \(words.answer($0.high)))"
    }
    let earned = metric.label.map { "its mean \($0.words) would be" } ?? "it would earn"
    return "; \(earned) \(words.answer(value)) a decision\(interval ?? "") by \(estimator(0))"
  }

  /// Returns of which policies the log can answer.
  private func summary(_ judged: [(title: String, verdict: EvaluationVerdict)]) -> String {
    let lists = EvaluationVerdict.Answer.allCases.reversed().compactMap { answer -> String? in
      let titles = judged.filter { $0.verdict.answer == answer }.map(\.title)
      guard !titles.isEmpty else { return nil }
      return "\(answer.rawValue) for \(titles.count) (\(AnswerText.list(titles, most: 3)))"
    }
    return
      "Of \(judged.count) policies the log gives: \(lists.joined(separator: "; ")); --table support has the reasons."
  }
}
