internal import DecidingAgents
internal import DecidingCore
internal import Events

/// What Rank, Reward and Activate receive and send.
extension JSONSchema {
  private static let eventID: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(Int64(PersonalizerRank.idLimit)),
  ]

  /// A list of objects with features.
  private static let features = list(of: ["type": "object"])

  /// The request for a ranking. An action is a choice of an agent, whose code it must be.
  static let rank = object(
    [
      "actions": [
        "type": "array", "minItems": 1, "maxItems": .integer(Int64(PersonalizerRank.actionLimit)),
        "items": object(["id": AgentCode.schema, "features": features], required: ["id"]),
      ],
      "excludedActions": ["type": ["array", "null"], "items": AgentCode.schema],
      "contextFeatures": ["type": ["array", "null"], "items": ["type": "object"]],
      "eventId": ["anyOf": [eventID, ["type": "null"]]],
      "deferActivation": ["type": ["boolean", "null"]],
    ], required: ["actions"])

  static let ranking = object(
    [
      "ranking": list(
        of: object(
          ["id": string, "probability": ["type": "number", "minimum": 0, "maximum": 1]],
          required: ["id"])),
      "eventId": string, "rewardActionId": string,
    ], required: ["ranking", "eventId", "rewardActionId"])

  static let reward = object(["value": number], required: ["value"])
}
