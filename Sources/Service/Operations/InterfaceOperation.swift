internal import DecidingCore
internal import Events

/// A route as an operation object of OpenAPI 3.1.
struct InterfaceOperation {
  private let route: Route

  init(_ route: Route) { self.route = route }

  /// The operation object.
  var json: JSONValue {
    let description = route.description
    var members: [(String, JSONValue)] = [
      ("operationId", .string(description.operation)), ("summary", .string(description.summary)),
      ("responses", responses),
    ]
    let parameters = pathParameters + description.parameters
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    if let body = description.body {
      members.append(("requestBody", ["content": .object([description.bodyType: ["schema": body]])]))
    }
    if let scope = route.scope {
      members.append(("security", .array(InterfaceDocument.schemes.map { [$0: []] })))
      members.append(("x-scope", .string(scope.rawValue)))
    }
    return .object(JSONObject(members.map { .init(name: $0.0, value: $0.1) }))
  }

  private var pathParameters: [JSONValue] {
    route.pattern.parts.compactMap { part in
      switch part {
      case .literal: nil
      case .parameter(let name): Self.pathParameter(name, "One segment of the path.")
      case .rest(let name):
        Self.pathParameter(name, "The rest of the path: one segment or more.")
      }
    }
  }

  private static func pathParameter(_ name: String, _ description: String) -> JSONValue {
    [
      "name": .string(name), "in": "path", "required": true, "description": .string(description),
      "schema": ["type": "string", "minLength": 1],
    ]
  }

  // MARK: Responses

  private var responses: JSONValue {
    let documented = route.description.responses
    var members = commonProblems.filter { problem in
      !documented.contains { $0.status == problem.status }
    }.map { ("\($0.status)", Self.response($0.description, ProblemSchemas.reference(route))) }
    members += documented.map { response in
      // A problem that the route describes has the form of all its problems, unless it says otherwise.
      let problem = response.status >= 400 ? ProblemSchemas.reference(route) : nil
      return ("\(response.status)", Self.response(response.description, response.schema ?? problem))
    }
    return .object(JSONObject(members.map { .init(name: $0.0, value: $0.1) }))
  }

  private static func response(_ description: String, _ schema: JSONValue?) -> JSONValue {
    guard let schema else { return ["description": .string(description)] }
    return [
      "description": .string(description),
      "content": ["application/json": ["schema": schema]],
    ]
  }

  /// The problems that any such route can answer with.
  private var commonProblems: [(status: Int, description: String)] {
    var problems = [
      (400, "The request is invalid."), (404, "There is no such path."),
      (405, "The path does not have the method."), (408, "The body did not arrive in time."),
      (413, "The body is too large."),
    ]
    if route.scope != nil {
      problems += [
        (401, "The key is missing or unknown."), (403, "The key does not permit this."),
        (429, "Too many requests; retry-after says when to try again."),
      ]
    }
    if route.isChanging {
      problems.append((503, "The log cannot be written; retry-after says when to try again."))
    }
    return problems
  }
}

/// The schemas of the bodies that describe problems.
enum ProblemSchemas {
  /// A reference to the schema of a route's problems.
  static func reference(_ route: Route) -> JSONValue {
    let name =
      switch route.problems {
      case .agents: "AgentProblem"
      case .openFeature: "OpenFeatureProblem"
      case .standard: "Problem"
      }
    return ["$ref": .string("#/components/schemas/\(name)")]
  }

  /// The schemas by name.
  static var all: JSONValue {
    [
      "AgentProblem": JSONSchema.agentProblem,
      "OpenFeatureProblem": JSONSchema.object(
        [
          "errorCode": JSONSchema.string, "errorDetails": JSONSchema.string,
          "key": JSONSchema.string,
        ], required: ["errorCode"]),
      "Problem": JSONSchema.problem(),
    ]
  }
}
