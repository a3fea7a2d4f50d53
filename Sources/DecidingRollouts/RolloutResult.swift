public import DecidingCore
public import Events

/// Which answers of a rollout system the log hears of, besides draws.
public enum RolloutExposures: Sendable, CaseIterable {
  /// Draws only.
  case draws
  /// Draws, and every change of what a unit gets.
  case changes
  /// Every answer, but for a default that was given before.
  case all
}

/// Where the number of a unit comes from.
public enum RolloutNumbers: Hashable, Sendable {
  /// Drawn once from the generator, and saved.
  case drawn
  /// Read off the hash of unit, experiment and salt: the same on every device. It is saved too.
  case hashed(salt: String)
}

/// What a unit gets, and why.
public struct RolloutResult: Hashable, Sendable {
  /// The text for the app: `EXPERIMENT_VARIANT`, or the default exactly as it was given.
  public var value: String
  /// The variant; nil when the value is the default.
  public var variant: VariantID?
  /// Why.
  public var reason: Reason
  /// The saved number of the unit in the experiment, in 0 ... 1; nil for a default, and when none is known.
  public var number: Double?
  /// The probability with which the variant was chosen; nil for a default, and when it is unknown.
  public var propensity: Double?
  /// What the answer counts as in the log; nil when nothing is ever recorded of it.
  public var status: EventStatus?
  /// What chose.
  public var policy: PolicyID?
  /// Why the answer could not be recorded; nil when it was, or had not to be.
  public var error: RolloutError?

  /// Whether the value is the default.
  public var isDefault: Bool { variant == nil }
}

/// What a unit would get.
public enum RolloutPreview: Hashable, Sendable {
  /// This, for certain.
  case answer(RolloutResult)
  /// One of the variants, each with its probability: a number would have to be drawn.
  case draw(variants: [VariantID], probabilities: [Double])
}
