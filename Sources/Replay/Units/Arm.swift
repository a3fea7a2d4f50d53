/// What a reward is attributed to: a variant, at a point and for a slot of an experiment, all as codes of
/// the log.
public struct Arm: Hashable, Sendable {
  /// Code of the experiment.
  public var experiment: UInt32
  /// Code of the point, that of `point-1` for decisions that name none.
  public var point: UInt32
  /// Code of the slot, that of `decision-1` for decisions that name none.
  public var slot: UInt32
  /// Code of the variant.
  public var variant: UInt32

  /// Makes an arm.
  public init(experiment: UInt32, point: UInt32, slot: UInt32, variant: UInt32) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
    self.variant = variant
  }
}

/// An arm, and a value of the dimension by which results are broken down.
public struct Segment: Hashable, Sendable {
  /// The arm.
  public var arm: Arm
  /// The value; unknown when nothing is broken down.
  public var value: DimensionValue

  /// Makes a segment.
  public init(arm: Arm, value: DimensionValue = .unknown) {
    self.arm = arm
    self.value = value
  }
}
