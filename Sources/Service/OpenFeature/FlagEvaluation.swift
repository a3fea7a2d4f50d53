internal import DecidingCore
internal import Events
internal import Specifications

/// The value of a flag for a context.
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
  /// - Throws: ``FlagProblem`` if the variant does not have the variable that is asked for, or its value is a list.
  func value(
    of variant: String, among variants: [String], variables: JSONObject = [:]
  ) throws(FlagProblem) -> JSONValue {
    if isStrict, let variableKey, variables[variableKey] == nil {
      throw FlagProblem(
        .invalidContext,
        "context.variableKey is \"\(variableKey)\", which is no variable of the variant "
          + "\"\(variant)\"" + NearestName.remedy(for: variableKey, among: variables.names))
    }
    if let value = try value(in: variables) { return value }
    let isSwitch = !variants.isEmpty && variants.allSatisfy { $0 == "on" || $0 == "off" }
    return isSwitch && (variant == "on" || variant == "off")
      ? .boolean(variant == "on") : .string(variant)
  }

  /// Returns the value of the variable that is asked for, else of the only one; nil if there is neither. A list, which
  /// is none of the types of the protocol, is a problem.
  private func value(in variables: JSONObject) throws(FlagProblem) -> JSONValue? {
    let name =
      variableKey.flatMap { variables[$0] == nil ? nil : $0 }
      ?? (variables.count == 1 ? variables.members.first?.name : nil)
    guard let name, let value = variables[name] else { return nil }
    guard value.array == nil else {
      throw FlagProblem(
        .general,
        "the value of \"\(name)\" is a list, which is no type of a flag in this protocol; put it into an object such "
          + "as {\"items\":[]}, or name another variable as context.variableKey")
    }
    return value
  }

  /// Throws if the value of a variant cannot be sent, given the variables of each. Called before anything is decided,
  /// so that nobody is recorded as exposed to a variant that is not shown, and no variant is shown without the others.
  func check(_ variants: [JSONObject]) throws(FlagProblem) {
    for variables in variants { _ = try value(in: variables) }
  }
}
