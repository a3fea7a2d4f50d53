/// How a page marks a verdict: by colour and by a sign before the word, since not everybody sees the colour.
enum PageTone: String {
  /// Damaged, or worse than the baseline.
  case bad
  /// To be looked at.
  case warning
  /// As it should be.
  case good

  /// Returns the mark of a verdict of `compare`, `health` or `evaluate`, or of a recommendation; nil for one that
  /// needs none.
  init?(verdict: String) {
    switch verdict {
    case HealthVerdict.ok.rawValue, ComparisonVerdict.better.rawValue,
      ComparisonVerdict.marginKept.rawValue, Recommendation.Action.ship.rawValue,
      EvaluationVerdict.Answer.answers.rawValue:
      self = .good
    case HealthVerdict.warning.rawValue, EvaluationVerdict.Answer.weak.rawValue: self = .warning
    case HealthVerdict.failed.rawValue, ComparisonVerdict.worse.rawValue,
      ComparisonVerdict.notValid.rawValue, ResultCard.heldVerdict, Recommendation.Action.rollBack.rawValue,
      EvaluationVerdict.Answer.cannotAnswer.rawValue:
      self = .bad
    default: return nil
    }
  }

  /// The columns whose cells are verdicts.
  static let columns: Set<String> = ["verdict", "recommendation", "status"]
}
