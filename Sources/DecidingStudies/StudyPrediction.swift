/// What a predictor thinks of one option.
public struct StudyPrediction: Sendable, Hashable {
  /// Where a confidence comes from.
  public enum Reason: String, Sendable, CaseIterable {
    /// From what was recorded.
    case counts
    /// From what was recorded, and another option has the same: the one declared first goes first.
    case tie
    /// From nothing: no record tells the options apart.
    case blind
    /// From nowhere: an override leads to this option, whatever its confidence.
    case forced
  }

  /// The option, with its counts at the time of the prediction.
  public let option: StudyOption
  /// How sure the predictor is that the option will be taken next: 0 for a blind guess, 1 for certainty.
  public let confidence: Double
  /// Where the confidence comes from.
  public let reason: Reason

  /// Makes a prediction.
  public init(option: StudyOption, confidence: Double, reason: Reason = .counts) {
    self.option = option
    self.confidence = confidence
    self.reason = reason
  }
}
