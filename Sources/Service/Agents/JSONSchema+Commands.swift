internal import DecidingAgents
internal import DecidingCore
internal import Events

extension JSONSchema {
  /// The body of a request with commands.
  static let commandsBody: JSONValue = {
    let command = object([
      "a": AgentCode.schema, "g": AgentCode.schema, "v": number, "s": word(["ok", "p"]),
      "c": list(of: AgentCode.schema),
      "x": list(of: AgentCode.schema),
    ])
    var commands = list(of: command).object ?? [:]
    commands["maxItems"] = .integer(Int64(AgentRoutes.batchLimit))
    return [
      "anyOf": [
        object(
          ["commands": .object(commands), "inputs": ["type": "object"]], required: ["commands"]),
        .object(commands),
      ]
    ]
  }()

  /// The reply to commands.
  static let commandsReply: JSONValue = {
    let reward = object(["a": string, "v": number], required: ["a", "v"])
    let item = object([
      "a": string, "c": string, "p": string, "md": map(of: string), "g": string,
      "rs": list(of: reward), "err": string,
    ])
    let data = object(
      [
        "items": list(of: item), "sels": map(of: string), "traits": list(of: string),
        "log": list(of: string),
      ], required: ["items", "sels", "traits", "log"])
    return object(["status": ["const": 200], "data": data], required: ["status", "data"])
  }()
}
