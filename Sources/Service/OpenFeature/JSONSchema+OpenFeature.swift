internal import DecidingCore
internal import Events

/// What the OpenFeature Remote Evaluation Protocol sends and receives.
extension JSONSchema {
  /// The body: the context of an evaluation.
  static let evaluationContext = object(
    [
      "context": .object(
        (FlagContext.table.schema.object ?? [:]).with("required", ["targetingKey"])
          .with("additionalProperties", true)
          .with("description", "The attributes that targeting reads"))
    ], required: ["context"])

  /// The evaluation of a flag. Without a value, the application's default applies.
  static let evaluation = object(
    [
      "key": string,
      "value": [
        "type": ["boolean", "string", "number", "object"],
        "description": "The value; without one the application's default applies",
      ],
      "variant": string, "reason": word(FlagReason.self),
      "metadata": map(of: ["type": ["string", "number", "boolean"]]),
    ], required: ["key", "variant", "reason", "metadata"])

  /// The evaluations of all flags.
  static let evaluations = object(
    ["flags": list(of: ["anyOf": [evaluation, evaluationFailure]])], required: ["flags"])

  /// Why a request cannot be evaluated.
  static let evaluationProblem = evaluationProblem(required: ["errorCode", "errorDetails"])

  /// Why one flag cannot be evaluated.
  static let evaluationFailure = evaluationProblem(required: ["key", "errorCode", "errorDetails"])

  private static func evaluationProblem(required: [String]) -> JSONValue {
    object(
      ["key": string, "errorCode": word(FlagProblem.Code.self), "errorDetails": string],
      required: required)
  }
}
