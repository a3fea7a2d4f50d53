public import DecidingCore

/// The one word for how an answer came about. It follows from the `Reason`.
public enum PolicyWord: String, Hashable, Sendable, CaseIterable, Codable {
  /// Nothing was decided: the default.
  case none
  /// The agent is paused, or the visitor does not want to be tracked.
  case paused
  /// Drawn by fixed weights.
  case random
  /// Fixed by a rule or an override.
  case fixed
  /// Drawn by a learning policy.
  case adaptive
  /// Drawn by fixed weights, for the control share.
  case control
  /// Kept from before.
  case sticky
  /// The visitor is a bot.
  case bot

  /// The word for a reason.
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
