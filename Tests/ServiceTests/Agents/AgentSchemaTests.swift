import DecidingAgents
import DecidingCore
import Events
import TestSupport
import Testing

@testable import Service

struct AgentSchemaTests {
  @Test(
    "the schema has the members that definitions are read from, and those that are only returned")
  func members() {
    let names = JSONSchema.agent["properties"]?.object?.names ?? []
    #expect(Set(names) == Set(AgentDefinition.table.fields.map(\.name) + ["owner", "created", "state"]))
    #expect(JSONSchema.agent["additionalProperties"] == false)
  }

  @Test("bodies are described with the members that are read, and no others")
  func bodies() throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    let descriptions = AgentRoutes(host: harness.service.host).routes.map(\.description)
    let expected = [
      "decideByPost": DecisionRequest.table.fields.map(\.name) + ["choices", "explain"],
      "goalByPost": GoalRequest.table.fields.map(\.name) + ["explain"],
      "pauseAgent": ["choice", "slots", "sessions"], "resumeAgent": ["sessions"],
    ]
    for (operation, names) in expected {
      let body = try #require(descriptions.first { $0.operation == operation }?.body)
      let described = body["properties"]?.object?.names ?? []
      #expect(names.allSatisfy { described.contains($0) })
      #expect(body["additionalProperties"] == false)
    }
  }

  @Test("every route describes itself with a name of its own")
  func operations() throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    let descriptions = AgentRoutes(host: harness.service.host).routes.map(\.description)
    let names = descriptions.map(\.operation)
    #expect(Set(names).count == names.count)
    #expect(descriptions.allSatisfy { !$0.summary.isEmpty && !$0.responses.isEmpty })
  }

  @Test(
    "definitions in the older form are read as in the newer one",
    arguments: [
      (
        #"{"code":"shop","goals":[{"code":"sale","settings":{"max":9}}]}"#,
        #"{"agent":"shop","goals":[{"code":"sale","max":9}]}"#
      ),
      (
        #"{"points":[{"code":"cart","decisions":[{"code":"color","choices":["red"]}]}]}"#,
        #"{"agent":"shop","points":[{"code":"cart","slots":[{"code":"color","choices":["red"]}]}]}"#
      ),
      (#"{"owner":"acme","created":"2012","state":{}}"#, #"{"agent":"shop"}"#),
    ])
  func older(sent: String, expected: String) throws {
    let definition = try SentDefinition(JSONValue(parsing: sent), agent: "shop", owner: "acme")
    #expect(definition.json == (try JSONValue(parsing: expected)))
  }
}
