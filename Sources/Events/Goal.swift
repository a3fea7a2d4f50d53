/// A reward signal for an experiment, from a unit.
public struct Goal: Hashable, Sendable {
  /// The rewarded experiment.
  public var experiment: ExperimentID
  /// The only point whose decisions are rewarded; every point when nil.
  public var point: PointID?
  /// The only slot whose decisions are rewarded, such as a position in a slate; every slot when nil.
  public var slot: SlotID?
  /// The code of the goal.
  public var goal: GoalID
  /// The value of the goal; 1 when nil.
  public var value: Double?
  /// The status; `accepted` when nil. A refused goal has no value.
  public var status: EventStatus?
  /// The reason why it was refused.
  @ByBytes public var reason: String?
  /// Additional attributes.
  public var metadata: Attributes?

  /// Creates a goal.
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
