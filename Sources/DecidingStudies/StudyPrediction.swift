/// A predictor's confidence in one option.
public struct StudyPrediction: Sendable, Hashable {
  /// The basis of a confidence.
  public enum Reason: String, Sendable, CaseIterable {
    /// The recorded counts.
    case counts
    /// The recorded counts, tied with another option: the one declared first is ranked first.
    case tie
    /// A blind guess: no record distinguishes the options.
    case blind
    /// An override to this option, whatever its confidence.
    case forced
  }

  /// The option, with its counts at the time of the prediction.
  public let option: StudyOption
  /// The confidence that the option will be taken next: 0 for a blind guess, 1 for certainty.
  public let confidence: Double
  /// The basis of the confidence.
  public let reason: Reason

  /// Creates a prediction.
  public init(option: StudyOption, confidence: Double, reason: Reason = .counts) {
    self.option = option
    self.confidence = confidence
    self.reason = reason
  }
}
