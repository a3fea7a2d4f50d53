/// A session ended: requested, or after inactivity.
public struct SessionExpired: Hashable, Sendable {
  /// The experiment whose session it was; every experiment when nil.
  public var experiment: ExperimentID?
  /// Why it ended.
  @ByBytes public var reason: String?

  /// Makes the event of an ended session.
  public init(experiment: ExperimentID? = nil, reason: String? = nil) {
    self.experiment = experiment
    self.reason = reason
  }
}

/// A saved assignment was given up, so that the next decision is a new one.
public struct AssignmentRemoved: Hashable, Sendable {
  /// The experiment whose assignment it was; every experiment when nil.
  public var experiment: ExperimentID?
  /// Why it was given up.
  @ByBytes public var reason: String?

  /// Makes the event of an assignment given up.
  public init(experiment: ExperimentID? = nil, reason: String? = nil) {
    self.experiment = experiment
    self.reason = reason
  }
}

/// The provisional decisions of a unit at a point count from here on.
public struct DecisionConfirmed: Hashable, Sendable {
  /// The experiment of the decisions.
  public var experiment: ExperimentID
  /// The point of the decisions; ``PointID/standard`` when nil.
  public var point: PointID?
  /// The slot of the decision; every slot of the point when nil.
  public var slot: SlotID?

  /// Makes the event of a confirmation.
  public init(experiment: ExperimentID, point: PointID? = nil, slot: SlotID? = nil) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
  }
}

/// A system took a new configuration, for one unit or, with an empty unit, for everyone.
public struct ConfigurationApplied: Hashable, Sendable {
  /// Which system: `agents`, `experiments`, `rollouts`, `active-config`, `studies`.
  public var system: SystemID
  /// The experiment that is configured; the whole system when nil.
  public var experiment: ExperimentID?
  /// Why.
  @ByBytes public var reason: String?
  /// What differs from the configuration before.
  @ByBytes public var changed: [String]?
  /// The configuration; JSON `null` when it was removed, nil when it was not recorded.
  public var configuration: JSONText?

  /// Makes the event of a new configuration.
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
