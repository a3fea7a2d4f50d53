internal import DecidingCore
internal import Events

/// What the OpenFeature Remote Evaluation Protocol sends and receives.
extension JSONSchema {
  /// The body: the context of an evaluation.
  static let evaluationContext = object(
    [
      "context": .object(
        [
          "type": "object", "description": "The attributes that targeting reads",
          "properties": [
            "targetingKey": [
              "type": "string", "minLength": 1,
              "description": "The id of the user, or the session of an agent",
            ],
            "variableKey": [
              "type": "string",
              "description": "The variable, or the slot of an agent, whose value is returned",
            ],
            "point": ["type": "string", "description": "The point of an agent"],
            "exposure": [
              "type": "boolean",
              "description": "Whether the evaluation of all flags counts as an exposure of each",
            ],
          ],
          "required": ["targetingKey"], "additionalProperties": true,
        ])
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
