internal import DecidingCore

/// The reason for the value of a flag, one of those that OpenFeature defines.
enum FlagReason: String, CaseIterable {
  /// The value is the same for everyone.
  case `static` = "STATIC"
  /// The default.
  case `default` = "DEFAULT"
  /// A rule matched the context.
  case targetingMatch = "TARGETING_MATCH"
  /// A pseudorandom assignment.
  case split = "SPLIT"
  /// The value came from a cache.
  case cached = "CACHED"
  /// The flag is disabled.
  case disabled = "DISABLED"
  /// The reason is unknown.
  case unknown = "UNKNOWN"
  /// The value is not up to date.
  case stale = "STALE"
  /// The evaluation failed.
  case error = "ERROR"

  /// Translates the reason of a decision. A sticky assignment is a split: `CACHED` would say that a client's cache had
  /// the value.
  init(_ reason: Reason) {
    self =
      switch reason {
      case .random, .adaptive, .control, .hash, .sticky, .savedNumber, .reallocated: .split
      case .fixed, .delivered, .forced, .predicted: .targetingMatch
      case .imported: .static
      case .paused, .stopped, .disabled, .outsideSchedule: .disabled
      case .offline, .timeout, .error, .notRecorded: .error
      case .doNotTrack, .bot, .unknownExperiment, .noConfiguration, .conditions, .language,
        .country, .noDrawableVariant, .notEligible, .noPermittedChoice, .notTargeted,
        .notAllocated, .noConsent, .default, .holdout, .exclusionGroup:
        .default
      }
  }
}
