public import DecidingCore
public import Events

/// What a flag answers for a user.
public struct FlagVariation: Hashable, Sendable {
  /// The flag's key.
  public var flag: String
  /// The variation's key; `off` means inactive.
  public var key: String
  /// The rule that gave the variation; nil for a default or forced variation of the flag.
  public var rule: String?
  /// The experiment of that rule.
  public var experiment: ExperimentID?
  /// The variables of the variation by name.
  public var variables: [TextKey: FlagVariable]
  /// Why this variation.
  public var reason: Reason
  /// The probability of the variation, given the rule that gave it; nil when it is unknown.
  public var propensity: Double?
  /// What became of the decision.
  public var status: EventStatus
  /// What chose; nil when nothing was to be chosen.
  public var policy: PolicyID?

  /// Whether the feature is active for the user: the variation is not `off`.
  public var isActive: Bool { key != Self.off }

  /// The key of the variation that means inactive.
  public static let off = "off"

  /// The value of a variable as a `Bool`, `String`, `Int`, `Double` or `JSONValue`.
  ///
  /// - Throws: ``ExperimentError/variableNotFound(_:)``, or ``ExperimentError/variableTypeMismatch(_:)`` when
  ///   it is of another kind.
  public func value<Value: FlagVariableValue>(
    _ variable: String, as type: Value.Type = Value.self
  ) throws(ExperimentError) -> Value {
    guard let variable = variables[TextKey(variable)] else { throw .variableNotFound(variable) }
    return try variable.read(as: type)
  }
}
