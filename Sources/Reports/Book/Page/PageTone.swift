/// How a page marks a verdict: by colour and by a sign before the word, since not everybody sees the colour.
enum PageTone: String {
  /// Damaged, or worse than the baseline.
  case bad
  /// To be looked at.
  case warning
  /// As it should be.
  case good

  /// Returns the mark of a verdict of `compare`, `health` or `evaluate`; nil for one that needs none.
  init?(verdict: String) {
    switch verdict {
    case "ok", "higher", "answers", "ship": self = .good
    case "warning", "weak": self = .warning
    case "failed", "lower", "cannot-answer", "roll back", "do not read": self = .bad
    default: return nil
    }
  }
}
