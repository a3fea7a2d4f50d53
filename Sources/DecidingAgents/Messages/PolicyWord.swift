internal import DecidingCore
public import Events

/// A one-word summary of how an answer came about, derived from its `Reason`.
public enum PolicyWord: String, Hashable, Sendable, CaseIterable, Codable {
  /// No decision was made: the default.
  case none
  /// The agent is paused, or the visitor opted out of tracking.
  case paused
  /// Drawn by fixed weights.
  case random
  /// Fixed by a rule or an override.
  case fixed
  /// Drawn by a learning policy.
  case adaptive
  /// Drawn by fixed weights, for the control share.
  case control
  /// Sticky: kept from an earlier decision.
  case sticky
  /// The visitor is a bot.
  case bot

  /// Creates the word for a reason.
  public init(_ reason: Reason) {
    switch reason {
    case .random, .hash: self = .random
    case .adaptive: self = .adaptive
    case .control: self = .control
    case .sticky, .savedNumber, .reallocated, .imported: self = .sticky
    case .fixed, .delivered, .forced: self = .fixed
    case .paused, .doNotTrack: self = .paused
    case .bot: self = .bot
    default: self = .none
    }
  }
}
