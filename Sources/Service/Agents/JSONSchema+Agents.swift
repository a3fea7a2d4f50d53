internal import DecidingAgents
internal import DecidingCore
internal import Events

/// What the agents' clients send and receive.
extension JSONSchema {
  // MARK: Requests

  static let session: JSONObject = ["session": Wire.session.schema]

  static let decision = DecisionRequest.table.properties
    .with("choices", Wire.choices.described("Codes separated by commas, or a number of choices").schema)
    .with("explain", Wire.flag.described("1 to add reasons and propensities").schema)
    .with("ip", string).with("ua", string).with("referer", string)

  static let goal = GoalRequest.table.properties
    .with("explain", Wire.flag.described("1 to add the reason of a refusal").schema)

  static let sessions: JSONObject = ["sessions": Wire.codes.schema]

  static let pause = sessions.with("choice", string).with("slots", Wire.slotCodes.schema)

  /// What an item of a batch can have, beside the parameters of the request.
  static let item = JSONObject(decision.members + goal.members + sessions.members)
    .with("agent", string).with("choice", string).with("type", word(["decision", "decisions", "goal", "expire"]))
    .with("query", ["type": "object"])

  static let batchBody: JSONValue = [
    "type": "array", "maxItems": .integer(Int64(AgentRoutes.batchLimit)), "items": object(item, isClosed: true),
  ]

  /// The parameters of a query, which are texts.
  static func parameters(_ properties: JSONObject) -> [JSONValue] {
    properties.members.map { parameter($0.name, $0.value["description"]?.string ?? "", string) }
  }

  // MARK: Replies

  static let agentProblem = object(["err": string, "code": string], required: ["err", "code"])

  static let decisionReply = object(
    ["session": string, "decision": string], required: ["session", "decision"])

  static let decisionsReply = object(
    DecisionReply.plain.properties.with("policy", word(PolicyWord.self))
      .with("decisions", map(of: object(AgentDecision.plain.properties, required: ["code", "policy", "status"]))),
    required: ["agent", "session", "point", "policy", "decisions"])

  static let goalReply = object(
    GoalReply.table.properties.with("value", number),
    required: ["agent", "session", "goal", "reward", "value", "accepted"])

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
      "warnings": list(of: string),
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
