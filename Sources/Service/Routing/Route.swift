internal import Events

/// An operation of the service: a method, a path, what it requires, its description, and what it does.
struct Route: Sendable {
  /// The methods of a route.
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case options = "OPTIONS"
  }

  /// A route as the document of the interface (`/openapi.json`) describes it.
  struct Description: Sendable {
    /// The unique name of the operation, in camel case.
    var operation: String
    /// Its action, as a verb phrase.
    var summary: String
    /// The parameters of the query and of headers, as parameter objects of OpenAPI 3.1.
    var parameters: [JSONValue] = []
    /// The schema of a body; nil if it has none.
    var body: JSONValue?
    /// The media type of the body.
    var bodyType = "application/json"
    /// The description and schema of each status; problems that every route can answer with are added.
    var responses: [(status: Int, description: String, schema: JSONValue?)] = []
  }

  var method: Method
  var pattern: RoutePattern
  /// The scope that a key must have; nil if the route is open.
  var scope: KeyScope?
  /// Whether it can append to the log, so that it is refused while the log cannot be written.
  var isChanging: Bool
  /// The maximum size of a body, in bytes, as received.
  var bodyLimit: Int
  var problems: ProblemFormat
  var description: Description
  var handle: @Sendable (AdmittedRequest) async throws -> ServiceResponse

  /// The maximum size of the body of a decision.
  static let decisionBodyLimit = 64 << 10

  init(
    _ method: Method, _ pattern: RoutePattern, scope: KeyScope?, isChanging: Bool = false,
    bodyLimit: Int = Route.decisionBodyLimit, problems: ProblemFormat = .standard,
    _ description: Description,
    handle: @escaping @Sendable (AdmittedRequest) async throws -> ServiceResponse
  ) {
    self.method = method
    self.pattern = pattern
    self.scope = scope
    self.isChanging = isChanging
    self.bodyLimit = bodyLimit
    self.problems = problems
    self.description = description
    self.handle = handle
  }
}

/// A group of routes, made by one part of the service.
protocol RouteGroup: Sendable {
  /// The routes of the group.
  var routes: [Route] { get }
}
