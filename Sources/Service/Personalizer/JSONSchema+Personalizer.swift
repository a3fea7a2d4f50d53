internal import DecidingCore
internal import Events

/// What Rank, Reward and Activate receive and send.
extension JSONSchema {
  /// The request for a ranking. An action is a choice of an agent, whose code it must be.
  static let rank = PersonalizerRank.table.schema

  static let ranking = object(
    [
      "ranking": list(
        of: object(
          ["id": string, "probability": ["type": "number", "minimum": 0, "maximum": 1]],
          required: ["id"])),
      "eventId": string, "rewardActionId": string,
    ], required: ["ranking", "eventId", "rewardActionId"])

  static let reward = PersonalizerReward.table.schema
}
