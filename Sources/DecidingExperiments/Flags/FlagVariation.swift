internal import DecidingCore
public import Events

/// The variation of a flag for a user.
public struct FlagVariation: Hashable, Sendable {
  /// The flag's key.
  public var flag: String
  /// The variation's key; `off` means inactive.
  public var key: String
  /// The rule that assigned the variation; nil for a default or forced variation of the flag.
  public var rule: String?
  /// The experiment of that rule.
  public var experiment: ExperimentID?
  /// The variables of the variation by name.
  public var variables: [TextKey: FlagVariable]
  /// The reason for the variation.
  public var reason: Reason
  /// The probability of the variation, given the rule that assigned it; nil when unknown.
  public var propensity: Double?
  /// The status of the decision.
  public var status: EventStatus
  /// The policy that chose; nil when none was needed.
  public var policy: PolicyID?

  /// Whether the feature is active for the user: the variation is not `off`.
  public var isActive: Bool { key != Self.off }

  /// The key of the variation that means inactive.
  public static let off = "off"

  /// Returns the value of a variable as a `Bool`, `String`, `Int`, `Double` or `JSONValue`.
  ///
  /// - Throws: ``ExperimentError/variableNotFound(_:)``, or ``ExperimentError/variableTypeMismatch(_:)`` when
  ///   it has another type.
  public func value<Value: FlagVariableValue>(
    _ variable: String, as type: Value.Type = Value.self
  ) throws(ExperimentError) -> Value {
    guard let variable = variables[TextKey(variable)] else { throw .variableNotFound(variable) }
    return try variable.read(as: type)
  }
}
