import Events
import TestSupport
import Testing

@testable import Service

@Suite("The OpenAPI document")
struct InterfaceDocumentTests {
  private let document: JSONValue
  private let routes: [Route]

  init() async throws {
    let world = try GuardedService(try TemporaryFolder())
    document = try JSONValue(parsing: await world.answer("GET", "/openapi.json").body)
    routes = world.service.routes.routes
  }

  private func operation(_ route: Route) -> JSONValue? {
    let path = route.pattern.text.replacing("...}", with: "}")
    return document["paths"]?[path]?[route.method.rawValue.lowercased()]
  }

  @Test("it is a document of OpenAPI 3.1 with every route once, and nothing else")
  func complete() throws {
    #expect(document["openapi"] == "3.1.0")
    let paths = try #require(document["paths"]?.object)
    let count = paths.members.reduce(0) { $0 + ($1.value.object?.count ?? 0) }
    #expect(count == routes.count)
    for route in routes { #expect(operation(route) != nil, "\(route.pattern.text)") }
    let names = routes.map(\.description.operation)
    #expect(Set(names).count == names.count, "\(names)")
  }

  @Test("each operation has the parameters of its path, and the problems that every route can have")
  func operations() throws {
    for route in routes {
      let operation = try #require(self.operation(route))
      let parameters = operation["parameters"]?.array ?? []
      for part in route.pattern.parts {
        guard case .parameter(let name) = part else { continue }
        let parameter = parameters.first { $0["name"]?.string == name }
        #expect(parameter?["in"] == "path" && parameter?["required"] == true, "\(name)")
      }
      let statuses = operation["responses"]?.object?.names ?? []
      #expect(Set(["400", "404", "405", "413"]).isSubset(of: statuses), "\(route.pattern.text)")
      #expect(statuses.contains("401") == (route.scope != nil), "\(route.pattern.text)")
      #expect((operation["security"] != nil) == (route.scope != nil))
    }
  }

  @Test("every reference has a target")
  func references() {
    let text = document.description
    let targets = text.matches(of: /"\$ref":"#\/components\/schemas\/(\w+)"/).map { $0.output.1 }
    #expect(!targets.isEmpty)
    for name in targets {
      #expect(document["components"]?["schemas"]?[String(name)] != nil, "\(name)")
    }
  }

  @Test("the same routes give the same bytes")
  func deterministic() async throws {
    let other = try GuardedService(try TemporaryFolder())
    let again = await other.answer("GET", "/openapi.json")
    #expect(again.text == document.description)
    #expect(again.fields["content-type"] == "application/json; charset=utf-8")
  }
}
