internal import DecidingAgents
internal import Events

extension AgentSchema {
  /// The schema of an agent's definition, as it is sent and returned.
  static let definition: JSONValue = {
    var schema =
      object(
        [
          "agent": code, "name": string, "points": list(of: point),
          "goals": list(of: codeOr(goal)), "rules": list(of: rule),
          "policy": described("A learning policy, such as thompson or epsilon-greedy:epsilon=0.1"),
          "learnedPolicy": [
            "type": "object", "description": "A policy that `bandolier` learned from a log",
          ],
          "controlShare": share, "eligibleShare": share, "explorationFloor": share,
          "sticky": boolean, "credit": words(AgentDefinition.Credit.self),
          "learnsBy": words(AgentDefinition.Learning.self), "timeout": seconds,
          "visitLength": seconds,
          "recordInputs": [
            "anyOf": [word(["all", "none"]), list(of: string)],
            "description": "Which inputs of requests are recorded as the context of decisions",
          ],
          "schedule": object(["from": time, "to": time], isClosed: true),
          "owner": readOnly(string), "created": readOnly(string),
          "state": readOnly(["type": "object"]),
        ], isClosed: true
      ).object ?? [:]
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Agent"
    return .object(schema)
  }()

  private static let share: JSONValue = ["type": "number", "minimum": 0, "maximum": 1]
  private static let seconds: JSONValue = ["type": "integer", "minimum": 1]
  private static let time: JSONValue = ["type": "string", "format": "date-time"]

  private static func described(_ text: String) -> JSONValue {
    ["type": "string", "description": .string(text)]
  }

  private static func readOnly(_ schema: JSONValue) -> JSONValue {
    var object = schema.object ?? [:]
    object["readOnly"] = true
    return .object(object)
  }

  private static func codeOr(_ schema: JSONValue) -> JSONValue { ["anyOf": [code, schema]] }

  private static let point = object(
    [
      "code": code,
      "slots": list(
        of: object(["code": code, "choices": list(of: codeOr(choice))], isClosed: true)),
    ], isClosed: true)

  private static let choice = object(
    [
      "code": code, "name": string, "meta": ["type": "object"],
      "weight": ["type": "number", "minimum": 0],
    ], required: ["code"], isClosed: true)

  private static let goal = object(
    [
      "code": code, "min": number, "max": number, "default": number,
      "limit": ["type": ["integer", "null"], "minimum": 1], "decisionPoint": code,
    ], required: ["code"], isClosed: true)

  private static let rule = object(
    [
      "code": string, "status": word(["active", "inactive"]), "agents": list(of: string),
      "conditions": list(of: ["type": "array", "minItems": 2, "maxItems": 3]),
      "join": words(AgentRule.Join.self),
      "applies": object(
        [
          "segment": string, "feature": string, "weight": number, "permitted": list(of: code),
          "fixed": code, "slot": code,
        ], isClosed: true),
    ], required: ["code", "applies"], isClosed: true)
}
