/// Why an answer is what it is.
///
/// The raw values stand in the log and never change.
public enum Reason: String, Sendable, CaseIterable, Codable {
  /// Drawn by fixed weights.
  case random
  /// Drawn by a learning policy.
  case adaptive
  /// Drawn by fixed weights, for the control share.
  case control
  /// Read off the unit's hash.
  case hash
  /// The saved assignment, still valid.
  case sticky
  /// The saved number, which leads to the same variant.
  case savedNumber = "saved-number"
  /// The saved number or the hash now leads elsewhere.
  case reallocated
  /// A rule fixes it.
  case fixed
  /// Targeted delivery.
  case delivered
  /// An override.
  case forced
  /// The app acted upon a prediction.
  case predicted
  /// Brought in from another system's storage.
  case imported
  /// The agent is paused; not recorded.
  case paused
  /// The visitor does not want to be tracked; not recorded.
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
  /// The unit was not let into the experiment.
  case notEligible = "not-eligible"
  /// Every choice was ruled out.
  case noPermittedChoice = "no-permitted-choice"
  /// The targeting does not hold.
  case notTargeted = "not-targeted"
  /// The unit belongs to the traffic that gets nothing.
  case notAllocated = "not-allocated"
  /// The flag or the site is disabled.
  case disabled
  /// Consent is required and was not given.
  case noConsent = "no-consent"
  /// The default variation of a flag.
  case `default`
  /// The unit is held out.
  case holdout
  /// Another experiment of the group has the unit.
  case exclusionGroup = "exclusion-group"
  /// The experiment is not scheduled now.
  case outsideSchedule = "outside-schedule"
  /// The service cannot be reached; not recorded.
  case offline
  /// The service was too late; not recorded.
  case timeout
  /// The service refused; not recorded.
  case error
  /// The sink did not take the events.
  case notRecorded = "not-recorded"
}
