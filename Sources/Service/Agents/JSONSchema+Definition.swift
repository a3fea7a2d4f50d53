internal import DecidingAgents
internal import DecidingCore
internal import Events

extension JSONSchema {
  /// An agent's definition, as it is sent and returned.
  static let agent: JSONValue = {
    var schema = AgentDefinition.table.schema.object ?? [:]
    // The path names the agent.
    schema["required"] = nil
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Agent"
    var properties = schema["properties"]?.object ?? [:]
    properties["owner"] = ["type": "string", "readOnly": true]
    properties["created"] = ["type": "string", "readOnly": true]
    properties["state"] = ["type": "object", "readOnly": true]
    schema["properties"] = .object(properties)
    return .object(schema)
  }()
}
