internal import DecidingCore
internal import Events

/// The reason for the value of a flag, one of those that the OpenFeature Remote Evaluation Protocol has.
enum FlagReason: String, CaseIterable {
  /// The value is the same for everyone, or that of whoever is not in.
  case `static` = "STATIC"
  /// A rule matched the context.
  case targetingMatch = "TARGETING_MATCH"
  /// A pseudorandom assignment.
  case split = "SPLIT"
  /// The flag is disabled.
  case disabled = "DISABLED"
  /// The reason is unknown.
  case unknown = "UNKNOWN"

  /// Translates the reason of a decision, which the metadata has too.
  init(_ reason: Reason) {
    self =
      switch reason {
      case .random, .adaptive, .control, .hash, .sticky, .savedNumber, .reallocated: .split
      case .fixed, .delivered, .forced, .predicted: .targetingMatch
      case .paused, .stopped, .disabled, .outsideSchedule: .disabled
      case .offline, .timeout, .error, .notRecorded: .unknown
      case .imported, .doNotTrack, .bot, .unknownExperiment, .noConfiguration, .conditions,
        .language, .country, .noDrawableVariant, .notEligible, .noPermittedChoice, .notTargeted,
        .notAllocated, .noConsent, .default, .holdout, .exclusionGroup:
        .static
      }
  }
}
