internal import Events

/// The JSON Schemas of the OpenFeature Remote Evaluation Protocol.
enum OpenFeatureSchema {
  /// The body: the context of an evaluation.
  static let body: JSONValue = [
    "type": "object",
    "properties": [
      "context": [
        "type": "object",
        "description": "The attributes that targeting reads",
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
        "required": ["targetingKey"],
        "additionalProperties": true,
      ]
    ],
    "required": ["context"],
  ]

  static let ifNoneMatch: JSONValue = [
    "name": "If-None-Match", "in": "header", "required": false,
    "description": "The ETag of an earlier response", "schema": ["type": "string"],
  ]

  private static let reasons = JSONValue.array(FlagReason.allCases.map { .string($0.rawValue) })

  /// The evaluation of a flag. Without a value, the application's default applies.
  static let evaluation: JSONValue = [
    "type": "object",
    "properties": [
      "key": ["type": "string"],
      "value": [
        "type": ["boolean", "string", "number", "object"],
        "description": "The value; without one the application's default applies",
      ],
      "variant": ["type": "string"],
      "reason": ["type": "string", "enum": reasons],
      "metadata": [
        "type": "object",
        "additionalProperties": ["type": ["string", "number", "boolean"]],
      ],
    ],
    "required": ["key", "variant", "reason", "metadata"],
  ]

  /// The evaluations of all flags.
  static let evaluations: JSONValue = [
    "type": "object",
    "properties": [
      "flags": ["type": "array", "items": ["anyOf": [evaluation, failure]]]
    ],
    "required": ["flags"],
  ]

  private static let problemProperties: JSONValue = [
    "key": ["type": "string"],
    "errorCode": ["type": "string", "enum": codes],
    "errorDetails": ["type": "string"],
  ]

  private static let codes = JSONValue.array(
    FlagProblem.Code.allCases.map { .string($0.rawValue) })

  /// Why a request cannot be evaluated.
  static let problem: JSONValue = [
    "type": "object", "properties": problemProperties, "required": ["errorCode", "errorDetails"],
  ]

  /// Why one flag cannot be evaluated.
  static let failure: JSONValue = [
    "type": "object", "properties": problemProperties,
    "required": ["key", "errorCode", "errorDetails"],
  ]
}
