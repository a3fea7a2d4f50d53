/// The subject of a reward: a variant at a point and slot of an experiment, as codes of the log.
public struct Arm: Hashable, Sendable {
  /// The code of the experiment.
  public var experiment: UInt32
  /// The code of the point, that of `point-1` for decisions without one.
  public var point: UInt32
  /// The code of the slot, that of `decision-1` for decisions without one.
  public var slot: UInt32
  /// The code of the variant.
  public var variant: UInt32

  /// Creates an arm.
  public init(experiment: UInt32, point: UInt32, slot: UInt32, variant: UInt32) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
    self.variant = variant
  }
}

/// An arm, and a value of the dimension of a breakdown.
public struct Segment: Hashable, Sendable {
  /// The arm.
  public var arm: Arm
  /// The value; unknown without a breakdown.
  public var value: DimensionValue

  /// Creates a segment.
  public init(arm: Arm, value: DimensionValue = .unknown) {
    self.arm = arm
    self.value = value
  }
}
