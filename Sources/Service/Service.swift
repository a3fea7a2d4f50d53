internal import DecidingCore
internal import Events

/// A decision service over HTTP, whose only state is the log.
///
/// It is independent of the server: a server passes requests to ``respond(to:)`` and sends the responses.
public final class Service: Sendable {
  let host: Host
  let routes: RouteTable

  /// Opens the log, rebuilds the systems, and applies the configurations.
  ///
  /// - Throws: An error that says what cannot be opened or is invalid.
  /// - Complexity: O(number of events of the log).
  public init(_ options: ServiceOptions) throws {
    try OwnerCode.check(options.owner)
    host = try Host(options)
    let groups: [any RouteGroup] = [
      AgentRoutes(host: host),
      OpenFeatureRoutes(host: host), FlagEventRoutes(host: host),
      PersonalizerRoutes(host: host),
      IngestionRoutes(host: host),
      ReportRoutes(host: host),
    ]
    routes = RouteTable(groups.flatMap(\.routes))
  }

  /// Answers a request.
  public func respond(to request: ServiceRequest) async -> ServiceResponse {
    let format: ProblemFormat
    do throws(ServiceProblem) {
      let (route, path) = try route(for: request)
      format = route.problems
      do {
        var response = try await route.handle(RouteCall(request: request, path: path, key: nil))
        if request.method == "HEAD" { response.body = [] }
        return response
      } catch let problem as ServiceProblem {
        return format.response(to: problem)
      } catch {
        return format.response(to: ServiceProblem(500, "internal", "\(error)"))
      }
    } catch {
      return ProblemFormat.agents.response(to: error)
    }
  }

  private func route(
    for request: ServiceRequest
  ) throws(ServiceProblem) -> (Route, PathParameters) {
    let segments = request.segments
    let decoded = segments.compactMap { $0 }
    guard decoded.count == segments.count else {
      throw ServiceProblem(
        400, "invalid-path", "the path has a malformed escape; encode it as UTF-8")
    }
    switch routes.match(request.method, decoded) {
    case .found(let route, let path): return (route, path)
    case .otherMethods(let methods, _):
      let names = methods.map(\.rawValue).joined(separator: ", ")
      throw ServiceProblem(
        405, "method-not-allowed",
        "this path does not have the method \(request.method); use \(names)",
        fields: ["allow": names])
    case .none:
      throw ServiceProblem(
        404, "unknown-route", "there is no \(request.path.debugDescription); see /openapi.json")
    }
  }

  /// Stops accepting changes and makes everything durable; requests that are being answered are not interrupted.
  public func drain() async { await host.drain() }

  /// Releases the log, after ``drain()``.
  public func close() { host.close() }
}
