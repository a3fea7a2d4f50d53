/// The end of a session, on request or after inactivity.
public struct SessionExpired: Hashable, Sendable {
  /// The experiment of the session; every experiment when nil.
  public var experiment: ExperimentID?
  /// The reason why it ended.
  @ByBytes public var reason: String?

  /// Creates the event.
  public init(experiment: ExperimentID? = nil, reason: String? = nil) {
    self.experiment = experiment
    self.reason = reason
  }
}

/// The removal of a saved assignment, so that the next decision is a new one.
public struct AssignmentRemoved: Hashable, Sendable {
  /// The experiment of the assignment; every experiment when nil.
  public var experiment: ExperimentID?
  /// The reason why it was removed.
  @ByBytes public var reason: String?

  /// Creates the event.
  public init(experiment: ExperimentID? = nil, reason: String? = nil) {
    self.experiment = experiment
    self.reason = reason
  }
}

/// The confirmation of the provisional decisions of a unit at a point, which count from here on.
public struct DecisionConfirmed: Hashable, Sendable {
  /// The experiment of the decisions.
  public var experiment: ExperimentID
  /// The point of the decisions; ``PointID/standard`` when nil.
  public var point: PointID?
  /// The slot of the decision; every slot of the point when nil.
  public var slot: SlotID?

  /// Creates the event.
  public init(experiment: ExperimentID, point: PointID? = nil, slot: SlotID? = nil) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
  }
}

/// A new configuration of a system, for one unit or, with an empty unit, for everyone.
public struct ConfigurationApplied: Hashable, Sendable {
  /// The configured system: `agents`, `experiments`, `rollouts`, `active-config`, `studies`.
  public var system: SystemID
  /// The configured experiment; the whole system when nil.
  public var experiment: ExperimentID?
  /// The reason for the change.
  @ByBytes public var reason: String?
  /// The names of what differs from the previous configuration.
  @ByBytes public var changed: [String]?
  /// The configuration; JSON `null` if it was removed, nil if it was not recorded.
  public var configuration: JSONText?

  /// Creates the event.
  public init(
    system: SystemID, experiment: ExperimentID? = nil, reason: String? = nil,
    changed: [String]? = nil, configuration: JSONText? = nil
  ) {
    self.system = system
    self.experiment = experiment
    self.reason = reason
    self.changed = changed
    self.configuration = configuration
  }
}
