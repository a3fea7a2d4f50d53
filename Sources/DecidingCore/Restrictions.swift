public import Events

/// A holdout: a share of units that get the default everywhere, to measure the effect of all experiments
/// together.
public struct Holdout: Hashable, Sendable, Codable {
  /// The name, which is hashed with the unit.
  public var name: String
  /// The share of units in the holdout, in 0 ... 1.
  public var share: Double

  /// Creates a holdout.
  public init(name: String, share: Double) {
    self.name = name
    self.share = share
  }

  /// Returns whether the unit is in the holdout.
  public func holds(_ unit: UnitID) -> Bool { UnitHash(unit.rawValue, name).fraction < share }
}

/// An exclusion group: mutually exclusive experiments, of which each unit takes part in only one.
public struct ExclusionGroup: Hashable, Sendable, Codable {
  /// The name, which is hashed with the unit.
  public let name: String
  /// The experiments, in order of id.
  public let members: [ExperimentID]

  /// Creates a group of members given in any order.
  public init(name: String, members: [ExperimentID]) {
    self.name = name
    self.members = members.sorted { IDOrder.precedes($0.rawValue, $1.rawValue) }
  }

  /// Returns the only member that can decide for the unit; nil when the group is empty.
  public func member(for unit: UnitID) -> ExperimentID? {
    guard !members.isEmpty else { return nil }
    let fraction = UnitHash(unit.rawValue, name).fraction
    return members[Shares.index(of: fraction, below: members.count)]
  }
}

/// The time range in which an experiment runs.
public struct Schedule: Hashable, Sendable, Codable {
  /// The start, inclusive; nil for no start.
  public var from: Timestamp?
  /// The end, exclusive; nil for no end.
  public var to: Timestamp?

  /// Creates a schedule.
  public init(from: Timestamp? = nil, to: Timestamp? = nil) {
    self.from = from
    self.to = to
  }

  /// Returns whether the experiment runs at the time.
  public func contains(_ time: Timestamp) -> Bool {
    if let from, time < from { return false }
    if let to, time >= to { return false }
    return true
  }
}

/// The restrictions that can exclude a unit from an experiment before anything is drawn.
public struct Restrictions: Hashable, Sendable {
  /// The holdout.
  public var holdout: Holdout?
  /// The exclusion groups.
  public var groups: [ExclusionGroup]
  /// The schedules of experiments; those not listed always run.
  public var schedules: [ExperimentID: Schedule]

  /// Creates restrictions; none by default.
  public init(
    holdout: Holdout? = nil, groups: [ExclusionGroup] = [],
    schedules: [ExperimentID: Schedule] = [:]
  ) {
    self.holdout = holdout
    self.groups = groups
    self.schedules = schedules
  }

  /// Returns why the unit is excluded: in the holdout, in another experiment of an exclusion group, or
  /// outside the schedule; checked in this order. Nil when it is not excluded.
  ///
  /// - Complexity: O(1) without a holdout and groups, one hash for each otherwise.
  public func refusal(of unit: UnitID, in experiment: ExperimentID, at time: Timestamp) -> Reason? {
    if let holdout, holdout.holds(unit) { return .holdout }
    for group in groups where group.members.contains(experiment) {
      if group.member(for: unit) != experiment { return .exclusionGroup }
    }
    if let schedule = schedules[experiment], !schedule.contains(time) { return .outsideSchedule }
    return nil
  }
}
