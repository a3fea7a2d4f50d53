/// The kinds of event. The raw values are part of the log format and never change.
public enum EventKind: UInt8, CaseIterable, Sendable {
  /// The assignment of a variant of an experiment to a unit.
  case decision = 1
  /// A reward signal for an experiment, from a unit.
  case goal = 2
  /// A goal not tied to one experiment.
  case conversion = 3
  /// A fact about a unit.
  case dataPoint = 4
  /// The end of a session.
  case sessionExpired = 5
  /// The removal of a saved assignment.
  case assignmentRemoved = 6
  /// The confirmation of a provisional decision, which counts from here on.
  case decisionConfirmed = 7
  /// A new configuration of a system.
  case configurationApplied = 8

  /// The name of the kind in JSON Lines, reports and on the command line.
  public var name: String {
    switch self {
    case .decision: "decision"
    case .goal: "goal"
    case .conversion: "conversion"
    case .dataPoint: "dataPoint"
    case .sessionExpired: "sessionExpired"
    case .assignmentRemoved: "assignmentRemoved"
    case .decisionConfirmed: "decisionConfirmed"
    case .configurationApplied: "configurationApplied"
    }
  }

  /// Creates the kind with the given name; nil if there is none.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// Whether the event is one of the life-cycle events, which serve only to rebuild live systems from the log, and may
  /// concern everyone.
  public var isLifeCycle: Bool { rawValue >= EventKind.sessionExpired.rawValue }
}
