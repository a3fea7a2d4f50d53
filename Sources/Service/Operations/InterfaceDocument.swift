internal import Events

/// The description of the interface as an OpenAPI 3.1 document, made from the routes: the same routes give the same
/// bytes.
struct InterfaceDocument {
  private let routes: [Route]

  /// Returns routes and one more, which returns the document that describes them all.
  static func describing(_ routes: [Route]) -> [Route] {
    let document = InterfaceDocument(routes: routes + own([]))
    var bytes: [UInt8] = []
    document.json.write(to: &bytes)
    return routes + own(bytes)
  }

  private static func own(_ document: [UInt8]) -> [Route] {
    [
      route("/openapi.json", "getInterface", document),
      // Beside the routes of `/v1`, where clients look for it.
      route("/v1/openapi.json", "getInterfaceOfVersion1", document),
    ]
  }

  private static func route(_ path: RoutePattern, _ operation: String, _ document: [UInt8]) -> Route {
    Route(
      .get, path, scope: nil,
      Route.Description(
        operation: operation, summary: "Return this document.",
        responses: [(200, "The OpenAPI document.", ["type": "object"])])
    ) { _ in
      ServiceResponse(
        fields: ["content-type": "application/json; charset=utf-8", "cache-control": "no-cache"],
        body: document)
    }
  }

  private var json: JSONValue {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Bandolier", "version": "1",
        "description": "Decisions, goals, events and reports over one log.",
      ],
      "paths": paths,
      "components": [
        "schemas": ProblemSchemas.all, "securitySchemes": Self.securitySchemes,
      ],
    ]
  }

  private var paths: JSONValue {
    var items: [String: [JSONObject.Member]] = [:]
    for route in routes {
      items[Self.path(route.pattern), default: []].append(
        JSONObject.Member(
          name: route.method.rawValue.lowercased(), value: InterfaceOperation(route).json))
    }
    return .object(
      JSONObject(items.map { .init(name: $0.key, value: .object(JSONObject($0.value))) }))
  }

  /// The path of a pattern in OpenAPI, which has no parameters of several segments.
  private static func path(_ pattern: RoutePattern) -> String {
    "/"
      + pattern.parts.map { part in
        switch part {
        case .literal(let text): text
        case .parameter(let name), .rest(let name): "{\(name)}"
        }
      }.joined(separator: "/")
  }

  /// The names of the schemes, each an alternative.
  static let schemes = ["bearer", "parameter", "x-api-key", "x-mpath-apikey"]

  private static var securitySchemes: JSONValue {
    [
      "bearer": ["type": "http", "scheme": "bearer"],
      "parameter": ["type": "apiKey", "in": "query", "name": "apikey"],
      "x-api-key": ["type": "apiKey", "in": "header", "name": "x-api-key"],
      "x-mpath-apikey": ["type": "apiKey", "in": "header", "name": "x-mpath-apikey"],
    ]
  }
}
