/// A reward signal for an experiment, from a unit.
public struct Goal: Hashable, Sendable {
  /// The experiment that is rewarded.
  public var experiment: ExperimentID
  /// The only point whose decisions are rewarded; every point when nil.
  public var point: PointID?
  /// The only slot whose decisions are rewarded, such as a position in a slate; every slot when nil.
  public var slot: SlotID?
  /// What the unit did.
  public var goal: GoalID
  /// What it is worth; 1 when nil.
  public var value: Double?
  /// `accepted` when nil; a refused goal is worth nothing.
  public var status: EventStatus?
  /// Why it was refused.
  @ByBytes public var reason: String?
  /// Anything else that was known of it.
  public var metadata: Attributes?

  /// Makes a goal.
  public init(
    experiment: ExperimentID, point: PointID? = nil, slot: SlotID? = nil, goal: GoalID,
    value: Double? = nil, status: EventStatus? = nil, reason: String? = nil,
    metadata: Attributes? = nil
  ) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
    self.goal = goal
    self.value = value
    self.status = status
    self.reason = reason
    self.metadata = metadata
  }
}
