internal import DecidingCore
internal import Events
internal import Statistics

/// What a flag evaluates to.
struct FlagEvaluation {
  var key: String
  var variant: String
  /// The value; nil where the application's default applies, because the unit is not in.
  var value: JSONValue?
  var reason: FlagReason
  /// Texts, numbers and truth values about the evaluation.
  var metadata: JSONObject

  /// Creates an evaluation of a decision.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - variant: The variant.
  ///   - value: The value; nil for the application's default.
  ///   - reason: The reason of the decision.
  ///   - propensity: The probability of the variant; nil if it is unknown.
  ///   - experiment: The experiment that decided.
  ///   - system: The system that decided.
  init(
    key: String, variant: String, value: JSONValue?, reason: Reason, propensity: Double?,
    experiment: String, system: SystemID
  ) {
    self.key = key
    self.variant = variant
    self.value = value
    self.reason = FlagReason(reason)
    metadata = [
      "experiment": .string(experiment), "reason": .string(reason.rawValue),
      "system": .string(system.rawValue),
    ]
    metadata["propensity"] = propensity.map { .number($0) }
  }

  /// The body of the response, or the entry among several flags.
  var json: JSONValue {
    var object: JSONObject = [
      "key": .string(key), "reason": .string(reason.rawValue), "variant": .string(variant),
      "metadata": .object(metadata),
    ]
    // The schema has no null: without a value the application's default applies.
    object["value"] = value == .null ? nil : value
    return .object(object)
  }
}

/// The rule by which a variant has a value: the variable that is asked for, else its only variable, else a truth value
/// where all variants are `on` and `off`, else its key.
struct FlagValueRule {
  /// The variable that the context asks for; nil for none.
  var variableKey: String?
  /// Whether a missing variable is an error, rather than a reason to use the next rule.
  var isStrict: Bool

  /// Returns the value of a variant.
  ///
  /// - Parameters:
  ///   - variant: The variant.
  ///   - variants: All variants.
  ///   - variables: The variables of the variant.
  /// - Returns: The value.
  /// - Throws: ``FlagProblem`` if the variant does not have the variable that is asked for.
  func value(
    of variant: String, among variants: [String], variables: JSONObject = [:]
  ) throws(FlagProblem) -> JSONValue {
    if let variableKey {
      if let value = variables[variableKey] { return value }
      guard !isStrict else {
        throw FlagProblem(
          .invalidContext,
          "context.variableKey is \"\(variableKey)\", which is no variable of the variant "
            + "\"\(variant)\"" + NearestName.remedy(for: variableKey, among: variables.names))
      }
    }
    if variables.count == 1, let only = variables.members.first { return only.value }
    let isSwitch = !variants.isEmpty && variants.allSatisfy { $0 == "on" || $0 == "off" }
    return isSwitch && (variant == "on" || variant == "off")
      ? .boolean(variant == "on") : .string(variant)
  }
}
