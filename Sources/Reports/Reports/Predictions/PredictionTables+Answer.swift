internal import Prediction
internal import Replay
internal import Specifications
internal import Tables

extension PredictionTables {
  /// The number of studies up to which the answer has the advice on each.
  private static let mostAnswers = 3

  /// The maximum number of studies with advice among the notes.
  private static let mostAdvice = 20

  /// Sets which predictor to use, and the method. The advice on many studies is in the notes.
  func answer(_ table: inout Table) {
    let advised = studies.compactMap { study in
      result.advice(study: study).map { (name: AnswerText.name(name(study)), advice: $0) }
    }
    if advised.isEmpty {
      table.answer = ["There is nothing to report: nothing was predicted."]
    } else if advised.count <= Self.mostAnswers {
      table.answer = advised.map { "\($0.name): \($0.advice.sentences.joined(separator: " "))" }
    } else {
      table.answer = Self.summary(advised.map(\.advice))
      for (index, study) in advised.prefix(Self.mostAdvice).enumerated() {
        let text = study.advice.sentences.joined(separator: " ")
        table.note("advice_\(index + 1)", "\(study.name): \(text)")
      }
      if advised.count > Self.mostAdvice {
        table.note(
          "advice_not_listed",
          "of \(advised.count - Self.mostAdvice) more studies; --table advice has them all")
      }
    }
    table.method = TableMethod(
      "each choice predicted from what came before, then learned; skill by Student's t over units, 95 %",
      report: PredictionReport.name)
  }

  /// Returns how often each predictor has the lowest log loss, and where none is better than the baselines.
  private static func summary(_ advice: [PredictionAdvice]) -> [String] {
    var wins: [NameKey: Int] = [:]
    for one in advice { wins[NameKey(one.candidates[one.best].name), default: 0] += 1 }
    let ordered = wins.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let list = ordered.map { "\($0.key.text) in \($0.value)" }
    return [
      "Of \(advice.count) studies, the lowest log loss: \(AnswerText.list(list)).",
      "--table advice says of each whether the lead is beyond chance.",
    ]
  }
}
