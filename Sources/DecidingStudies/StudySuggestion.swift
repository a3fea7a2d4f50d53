internal import DecidingCore
public import Events

/// A suggestion of where to lead the unit, or the reason why there is none.
public struct StudySuggestion: Sendable, Hashable {
  /// The description of the study.
  public let study: String
  /// The suggested prediction; nil when the unit should not be led.
  public let prediction: StudyPrediction?
  /// The reason: `predicted` or `forced`; without a suggestion, `holdout`, `exclusion-group` or
  /// `outside-schedule`, `conditions` when nothing is above the threshold, or `no-drawable-variant` when the
  /// study has no options.
  public let reason: Reason
  /// The probability of this outcome: always 1, because it is deterministic.
  public let propensity: Double
  /// The status of a decision to act on it: `confirmed`, or `excluded` when the unit is excluded; nil when
  /// there is nothing to act on.
  public let status: EventStatus?
  /// The specification of the predictor.
  public let policy: String
  /// A warning about an override that was ignored.
  public let warning: String?
}
