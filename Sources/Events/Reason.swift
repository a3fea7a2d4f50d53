/// The reason for an answer.
///
/// The raw values are stored in the log and never change.
public enum Reason: String, Sendable, CaseIterable, Codable {
  /// Drawn by fixed weights.
  case random
  /// Drawn by a learning policy.
  case adaptive
  /// Drawn by fixed weights, for the control share.
  case control
  /// Picked by the hash of the unit.
  case hash
  /// The saved assignment, which is still valid (sticky assignment).
  case sticky
  /// The saved number, which leads to the same variant.
  case savedNumber = "saved-number"
  /// The saved number or the hash now leads to another variant.
  case reallocated
  /// Fixed by a rule.
  case fixed
  /// Targeted delivery.
  case delivered
  /// An override.
  case forced
  /// The app acted on a prediction.
  case predicted
  /// Imported from another system's storage.
  case imported
  /// The agent is paused; not recorded.
  case paused
  /// The visitor opted out of tracking; not recorded.
  case doNotTrack = "do-not-track"
  /// The visitor is a bot; not recorded.
  case bot
  /// The agent is stopped; not recorded.
  case stopped
  /// There is no such experiment.
  case unknownExperiment = "unknown-experiment"
  /// There is no configuration.
  case noConfiguration = "no-configuration"
  /// The caller's conditions do not hold.
  case conditions
  /// The user's language is not among the supported ones.
  case language
  /// The user's country is not among the supported ones.
  case country
  /// No variant has a weight.
  case noDrawableVariant = "no-drawable-variant"
  /// The unit was not admitted to the experiment.
  case notEligible = "not-eligible"
  /// Every choice was excluded.
  case noPermittedChoice = "no-permitted-choice"
  /// The unit does not match the targeting.
  case notTargeted = "not-targeted"
  /// The unit is in the traffic not allocated to any variant.
  case notAllocated = "not-allocated"
  /// The flag or the site is disabled.
  case disabled
  /// Consent is required and was not given.
  case noConsent = "no-consent"
  /// The default variation of a flag.
  case `default`
  /// The unit is in the holdout.
  case holdout
  /// Another experiment of the group has the unit.
  case exclusionGroup = "exclusion-group"
  /// The experiment is outside its schedule.
  case outsideSchedule = "outside-schedule"
  /// The service cannot be reached; not recorded.
  case offline
  /// The service did not answer within the timeout; not recorded.
  case timeout
  /// The service refused; not recorded.
  case error
  /// The sink did not accept the events.
  case notRecorded = "not-recorded"
}
