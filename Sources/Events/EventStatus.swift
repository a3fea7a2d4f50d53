/// What became of a decision or of a goal. The raw values stand in the log and never change.
public enum EventStatus: UInt8, CaseIterable, Sendable {
  /// A decision that was assigned and counts: what a decision without a status is.
  case confirmed = 1
  /// A decision made and held, which counts from its `decisionConfirmed` on.
  case provisional = 2
  /// The same assignment shown again: an exposure, no new decision.
  case repeated = 3
  /// The unit got the default because it is not in: no exposure, never rewarded.
  case excluded = 4
  /// A goal that counts: what a goal without a status is.
  case accepted = 5
  /// A goal that is worth nothing; its reason says why.
  case refused = 6

  /// The word that stands for the status in JSON Lines.
  public var name: String {
    switch self {
    case .confirmed: "confirmed"
    case .provisional: "provisional"
    case .repeated: "repeated"
    case .excluded: "excluded"
    case .accepted: "accepted"
    case .refused: "refused"
    }
  }

  /// Whether the status may stand on an event of the given kind.
  public func applies(to kind: EventKind) -> Bool {
    switch self {
    case .confirmed, .provisional, .repeated, .excluded: kind == .decision
    case .accepted, .refused: kind == .goal
    }
  }
}
