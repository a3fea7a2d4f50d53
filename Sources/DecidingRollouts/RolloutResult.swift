internal import DecidingCore
public import Events

/// Which answers of a rollout system are logged, besides draws.
public enum RolloutExposures: Sendable, CaseIterable {
  /// Draws only.
  case draws
  /// Draws, and every change of a unit's variant.
  case changes
  /// Every answer, except for a repeated default.
  case all
}

/// The source of the numbers of units.
public enum RolloutNumbers: Hashable, Sendable {
  /// Drawn once from the random generator, and saved.
  case drawn
  /// Computed from the hash of unit, experiment and salt: the same on every device. It is saved too.
  case hashed(salt: String)
}

/// The variant of a unit in an experiment, with the reason.
public struct RolloutResult: Hashable, Sendable {
  /// The value for the app: `EXPERIMENT_VARIANT`, or the default exactly as given.
  public var value: String
  /// The variant; nil when the value is the default.
  public var variant: VariantID?
  /// The reason for the value.
  public var reason: Reason
  /// The saved number of the unit in the experiment, in 0 ... 1; nil for a default, and when there is none.
  public var number: Double?
  /// The probability with which the variant was chosen; nil for a default, and when unknown.
  public var propensity: Double?
  /// The status of the answer in the log; nil when it is never recorded.
  public var status: EventStatus?
  /// The policy that chose.
  public var policy: PolicyID?
  /// The error when the answer could not be recorded; nil when it was, or need not be.
  public var error: RolloutError?

  /// Whether the value is the default.
  public var isDefault: Bool { variant == nil }
}

/// A preview of the result for a unit.
public enum RolloutPreview: Hashable, Sendable {
  /// The certain result.
  case answer(RolloutResult)
  /// The variants with their probabilities, when a number would have to be drawn.
  case draw(variants: [VariantID], probabilities: [Double])
}
