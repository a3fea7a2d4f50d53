/// The assignment of a variant of an experiment to a unit, at a point and for a slot.
public struct Decision: Hashable, Sendable {
  /// The experiment.
  public var experiment: ExperimentID
  /// The point in the app; ``PointID/standard`` when nil.
  public var point: PointID?
  /// The slot among several decisions at the point; ``SlotID/standard`` when nil.
  public var slot: SlotID?
  /// The chosen variant.
  public var variant: VariantID
  /// The possible choices, in order; nil if they were not recorded.
  public var choices: [VariantID]?
  /// The probability with which the variant was chosen, in (0, 1]; nil if it is unknown. It is recorded as given and
  /// never guessed.
  public var propensity: Double?
  /// The probability of each choice, in the order of ``choices``; nil if they were not recorded.
  public var probabilities: [Double]?
  /// The policy that chose the variant.
  public var policy: PolicyID?
  /// The reason for the choice: `random`, `sticky`, `forced`, ...
  @ByBytes public var reason: String?
  /// The status of the decision; `confirmed` when nil.
  public var status: EventStatus?
  /// The attributes of the unit that the policy observed.
  public var context: Attributes?
  /// The attributes of each choice that the policy observed.
  public var features: Features?

  /// Creates a decision of which only the given parts are known.
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
