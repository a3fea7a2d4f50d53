/// The status of a decision or of a goal. The raw values are part of the log format and never change.
public enum EventStatus: UInt8, CaseIterable, Sendable {
  /// An assigned decision that counts; the default of a decision.
  case confirmed = 1
  /// A pending decision, which counts from its `decisionConfirmed` on.
  case provisional = 2
  /// The same assignment shown again: an exposure, but no new decision.
  case repeated = 3
  /// The unit is excluded and got the default: no exposure, never rewarded.
  case excluded = 4
  /// A goal that counts; the default of a goal.
  case accepted = 5
  /// A goal without any value; its reason says why.
  case refused = 6

  /// The name of the status in JSON Lines.
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

  /// Returns whether an event of the given kind may have the status.
  public func applies(to kind: EventKind) -> Bool {
    switch self {
    case .confirmed, .provisional, .repeated, .excluded: kind == .decision
    case .accepted, .refused: kind == .goal
    }
  }
}
