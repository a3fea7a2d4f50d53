internal import DecidingAgents
internal import DecidingCore
internal import Events

/// What the agents' clients send and receive.
extension JSONSchema {
  // MARK: Requests

  static let sessionParameters: [JSONValue] = [
    parameter("session", "The session; absent for a fresh one", string)
  ]

  static let decisionParameters: [JSONValue] =
    sessionParameters + [
      parameter("choices", "Codes separated by commas, or a number of choices", string),
      parameter("point", "The point in the app; point-1 by default", string),
      parameter("status", "ok, or p for a provisional decision", string),
      parameter("segment", "The segment of the visitor", string),
      parameter("features", "Features of the visitor: name:0.33,other", string),
      parameter("traits", "Traits of the visitor: key:value,key:value", string),
      parameter(
        "inputs", "Values that rules and policies read, recorded as the context, as a JSON object",
        string),
      parameter(
        "choiceFeatures", "Attributes of choices by their codes, recorded, as a JSON object", string
      ),
      parameter("allowed", "The only choices that are permitted", string),
      parameter("excluding", "Choices that are not permitted", string),
      parameter("bot", "1 for a program, for which nothing is recorded", string),
      parameter("dnt", "1 for a visitor who opted out of tracking", string),
      parameter("explain", "1 to add reasons and propensities", string),
    ]

  static let goalParameters: [JSONValue] =
    sessionParameters + [
      parameter("goal", "The goal, if the path has none; goal-1 by default", string),
      parameter("reward", "The value; that of the goal by default", string),
      parameter("explain", "1 to add the reason of a refusal", string),
    ]

  static let decisionBody = object([
    "session": string, "point": string, "status": word(["ok", "p"]), "segment": string,
    "choices": [
      "anyOf": [
        string, ["type": "integer", "minimum": 1],
        list(of: text(or: object(["slot": string, "choices": list(of: string)]))),
      ]
    ],
    "features": text(or: map(of: number)), "traits": string, "inputs": ["type": "object"],
    "choiceFeatures": map(of: ["type": "object"]),
    "allowed": text(or: list(of: string)), "excluding": text(or: list(of: string)),
    "explain": boolean,
  ])

  static let goalBody = object([
    "session": string, "goal": string, "reward": number, "explain": boolean,
  ])

  static let batchBody: JSONValue = [
    "type": "array", "maxItems": .integer(Int64(AgentRoutes.batchLimit)),
    "items": object([
      "agent": string, "type": word(["decision", "decisions", "goal", "expire"]), "goal": string,
      "choices": [:], "query": ["type": "object"],
    ]),
  ]

  static let sessionsBody = object(["sessions": text(or: list(of: string))])

  static let pauseBody = object([
    "choice": string, "slots": map(of: string), "sessions": text(or: list(of: string)),
  ])

  // MARK: Replies

  static let agentProblem = object(["err": string, "code": string], required: ["err", "code"])

  static let decisionReply = object(
    ["session": string, "decision": string], required: ["session", "decision"])

  static let decisionsReply = object(
    [
      "agent": string, "session": string, "point": string,
      "policy": word(PolicyWord.self),
      "segment": ["type": ["string", "null"]], "features": map(of: number),
      "traits": list(of: string),
      "decisions": map(
        of: object(
          ["code": string, "policy": word(PolicyWord.self), "status": string],
          required: ["code", "policy", "status"])),
    ], required: ["agent", "session", "point", "policy", "decisions"])

  static let goalReply = object(
    [
      "agent": string, "session": string, "goal": string, "reward": number, "value": number,
      "accepted": boolean, "refused": word(GoalRefusal.self),
    ], required: ["agent", "session", "goal", "reward", "value", "accepted"])

  static let goalOfAllReply = object(
    ["session": string, "goal": string, "value": number, "rewards": map(of: number)],
    required: ["session", "goal", "value", "rewards"])

  static let expiredReply = object(
    ["agent": string, "session": string, "expired": boolean],
    required: ["agent", "session", "expired"])

  static let batchReply = list(
    of: object(
      ["data": ["type": ["object", "null"]], "err": string, "code": string], required: ["data"]))

  static let pausedReply = object(
    [
      "agent": string, "paused": text(or: map(of: string)), "sessions": list(of: string),
    ], required: ["agent", "paused"])

  static let resumedReply = object(
    ["agent": string, "resumed": boolean, "sessions": list(of: string)],
    required: ["agent", "resumed"])

  static let agentsReply = object(
    [
      "agents": list(
        of: object(
          ["agent": string, "name": string, "state": word(["running", "paused", "stopped"])],
          required: ["agent", "state"]))
    ], required: ["agents"])

  /// The reply to a change: the agent, and a word with the value true.
  static func done(_ word: String) -> JSONValue {
    object(["agent": string, word: boolean], required: ["agent", word])
  }
}
