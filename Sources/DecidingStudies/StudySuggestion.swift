public import DecidingCore
public import Events

/// Whether and where to lead the unit, with everything there is to say of it.
public struct StudySuggestion: Sendable, Hashable {
  /// The description of the study.
  public let study: String
  /// What to lead to; nil when the unit is to be left alone.
  public let prediction: StudyPrediction?
  /// Why: `predicted` or `forced`; when there is nothing to lead to, `holdout`, `exclusion-group` or
  /// `outside-schedule`, `conditions` when nothing lies above the threshold, and `no-drawable-variant` when the
  /// study has no options.
  public let reason: Reason
  /// The probability of this outcome: 1, for there is no chance in it.
  public let propensity: Double
  /// What acting on it counts as: `confirmed`, or `excluded` when the unit is kept out; nil when there is
  /// nothing to act on.
  public let status: EventStatus?
  /// What predicted, as it is written.
  public let policy: String
  /// What is wrong with an override that was ignored.
  public let warning: String?
}
