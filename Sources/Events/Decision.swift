/// A unit was given a variant of an experiment, at a point and for a slot.
public struct Decision: Hashable, Sendable {
  /// What was being decided.
  public var experiment: ExperimentID
  /// Where in the app; ``PointID/standard`` when nil.
  public var point: PointID?
  /// Which of several decisions at the point; ``SlotID/standard`` when nil.
  public var slot: SlotID?
  /// What was chosen.
  public var variant: VariantID
  /// What could have been chosen, in order; nil when that was not recorded.
  public var choices: [VariantID]?
  /// The probability with which the variant was chosen, in (0, 1]; nil when it is unknown. It is
  /// recorded as given and never guessed.
  public var propensity: Double?
  /// The probability of each choice, in the order of ``choices``; nil when that was not recorded.
  public var probabilities: [Double]?
  /// What chose.
  public var policy: PolicyID?
  /// Why this variant: `random`, `sticky`, `forced`, ...
  @ByBytes public var reason: String?
  /// What became of it; `confirmed` when nil.
  public var status: EventStatus?
  /// What the policy saw of the unit.
  public var context: Attributes?
  /// What the policy saw of each choice.
  public var features: Features?

  /// Makes a decision of which only the given parts are known.
  public init(
    experiment: ExperimentID, point: PointID? = nil, slot: SlotID? = nil, variant: VariantID,
    choices: [VariantID]? = nil, propensity: Double? = nil, probabilities: [Double]? = nil,
    policy: PolicyID? = nil, reason: String? = nil, status: EventStatus? = nil,
    context: Attributes? = nil, features: Features? = nil
  ) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
    self.variant = variant
    self.choices = choices
    self.propensity = propensity
    self.probabilities = probabilities
    self.policy = policy
    self.reason = reason
    self.status = status
    self.context = context
    self.features = features
  }
}
