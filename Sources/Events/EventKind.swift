/// The kinds of event. The raw values stand in the log and never change.
public enum EventKind: UInt8, CaseIterable, Sendable {
  /// A unit was given a variant of an experiment.
  case decision = 1
  /// A reward signal for an experiment, from a unit.
  case goal = 2
  /// A goal not tied to one experiment.
  case conversion = 3
  /// Something known of a unit.
  case dataPoint = 4
  /// A session ended.
  case sessionExpired = 5
  /// A saved assignment was given up.
  case assignmentRemoved = 6
  /// A provisional decision counts from here on.
  case decisionConfirmed = 7
  /// A system took a new configuration.
  case configurationApplied = 8

  /// The word that stands for the kind in JSON Lines, reports and on the command line.
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

  /// The kind with the given name; nil when there is none.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// Whether the event is one of those that only the live systems need to be rebuilt from the log,
  /// and that may concern everyone.
  public var isLifeCycle: Bool { rawValue >= EventKind.sessionExpired.rawValue }
}
