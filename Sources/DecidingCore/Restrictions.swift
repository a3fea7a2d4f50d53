public import Events

/// A share of the units that gets the default everywhere, so that all experiments together can be judged.
public struct Holdout: Hashable, Sendable, Codable {
  /// Its name, which is hashed with the unit.
  public var name: String
  /// The share of units that is held out, in 0 ... 1.
  public var share: Double

  /// Makes a holdout.
  public init(name: String, share: Double) {
    self.name = name
    self.share = share
  }

  /// Whether the unit is held out.
  public func holds(_ unit: UnitID) -> Bool { UnitHash(unit.rawValue, name).fraction < share }
}

/// Experiments of which each unit takes part in one only.
public struct ExclusionGroup: Hashable, Sendable, Codable {
  /// Its name, which is hashed with the unit.
  public let name: String
  /// The experiments, in id order.
  public let members: [ExperimentID]

  /// Makes a group of the members given in any order.
  public init(name: String, members: [ExperimentID]) {
    self.name = name
    self.members = members.sorted { IDOrder.precedes($0.rawValue, $1.rawValue) }
  }

  /// The one member that may decide for the unit; nil when there is none.
  public func member(for unit: UnitID) -> ExperimentID? {
    guard !members.isEmpty else { return nil }
    let fraction = UnitHash(unit.rawValue, name).fraction
    return members[Shares.index(of: fraction, below: members.count)]
  }
}

/// When an experiment runs: from a time on, and before another.
public struct Schedule: Hashable, Sendable, Codable {
  /// The first moment; nil when it always ran.
  public var from: Timestamp?
  /// The first moment after it; nil when it never ends.
  public var to: Timestamp?

  /// Makes a schedule.
  public init(from: Timestamp? = nil, to: Timestamp? = nil) {
    self.from = from
    self.to = to
  }

  /// Whether the experiment runs at the time.
  public func contains(_ time: Timestamp) -> Bool {
    if let from, time < from { return false }
    if let to, time >= to { return false }
    return true
  }
}

/// What may keep a unit out of an experiment before anything is drawn.
public struct Restrictions: Hashable, Sendable {
  /// The units that get the default everywhere.
  public var holdout: Holdout?
  /// Experiments that share their units.
  public var groups: [ExclusionGroup]
  /// When experiments run; those that are not named always do.
  public var schedules: [ExperimentID: Schedule]

  /// Makes restrictions; none by default.
  public init(
    holdout: Holdout? = nil, groups: [ExclusionGroup] = [],
    schedules: [ExperimentID: Schedule] = [:]
  ) {
    self.holdout = holdout
    self.groups = groups
    self.schedules = schedules
  }

  /// Why the unit is kept out: held out, in another experiment of a group, or outside the schedule; asked in
  /// this order. Nil when it is not.
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
