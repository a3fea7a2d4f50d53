internal import Events

/// The JSON Schemas of Rank, Reward and Activate.
enum PersonalizerSchema {
  private static let id: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(Int64(PersonalizerRank.idLimit)),
  ]

  /// An action is a choice of an agent, whose code it must be.
  private static let action: JSONValue = [
    "type": "string", "pattern": "^[0-9A-Za-z_-]{1,50}$",
  ]

  private static let features: JSONValue = ["type": "array", "items": ["type": "object"]]

  static let rank: JSONValue = [
    "type": "object",
    "properties": [
      "actions": [
        "type": "array", "minItems": 1, "maxItems": .integer(Int64(PersonalizerRank.actionLimit)),
        "items": [
          "type": "object",
          "properties": ["id": action, "features": features],
          "required": ["id"],
        ],
      ],
      "excludedActions": ["type": ["array", "null"], "items": action],
      "contextFeatures": ["type": ["array", "null"], "items": ["type": "object"]],
      "eventId": ["anyOf": [id, ["type": "null"]]],
      "deferActivation": ["type": ["boolean", "null"]],
    ],
    "required": ["actions"],
  ]

  static let ranking: JSONValue = [
    "type": "object",
    "properties": [
      "ranking": [
        "type": "array",
        "items": [
          "type": "object",
          "properties": [
            "id": ["type": "string"],
            "probability": ["type": "number", "minimum": 0, "maximum": 1],
          ],
          "required": ["id"],
        ],
      ],
      "eventId": ["type": "string"],
      "rewardActionId": ["type": "string"],
    ],
    "required": ["ranking", "eventId", "rewardActionId"],
  ]

  static let reward: JSONValue = [
    "type": "object", "properties": ["value": ["type": "number"]], "required": ["value"],
  ]

  static let problem: JSONValue = [
    "type": "object",
    "properties": [
      "error": [
        "type": "object",
        "properties": ["code": ["type": "string"], "message": ["type": "string"]],
        "required": ["code", "message"],
      ]
    ],
    "required": ["error"],
  ]
}
