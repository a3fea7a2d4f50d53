internal import DecidingCore
internal import Events

/// A decision service over HTTP, whose only state is the log.
///
/// It is independent of the server. A server passes the head of a request to ``admit(_:)``, reads the body if it is
/// accepted, and passes it to ``respond(to:body:)``; ``respond(to:)`` is both in one.
public final class Service: Sendable {
  let host: Host
  let routes: RouteTable
  let gate: Gate
  let observer: Observer

  /// Opens the log, rebuilds the systems, and applies the configurations.
  ///
  /// - Throws: An error that says what cannot be opened or is invalid.
  /// - Complexity: O(number of events of the log).
  public init(_ options: ServiceOptions) throws {
    try OwnerCode.check(options.owner)
    gate = try Gate(options.access, note: options.note)
    observer = Observer(options)
    host = try Host(options)
    let groups: [any RouteGroup] = [
      OperationRoutes(host: host, observer: observer, keys: gate.keys),
      AgentRoutes(host: host),
      OpenFeatureRoutes(host: host), FlagEventRoutes(host: host),
      PersonalizerRoutes(host: host),
      IngestionRoutes(host: host),
      ReportRoutes(host: host, catalog: options.reports),
    ]
    routes = RouteTable(InterfaceDocument.describing(groups.flatMap(\.routes)))
  }

  /// Answers a request.
  public func respond(to request: ServiceRequest) async -> ServiceResponse {
    switch admit(request) {
    case .refused(let response): response
    case .accepted(let admitted): await respond(to: admitted, body: request.body)
    }
  }

  /// Refuses changes from now on, and is no longer ready; requests that are being answered are not interrupted.
  public func refuseChanges() { host.refuseChanges() }

  /// Stops accepting changes and makes everything durable; requests that are being answered are not interrupted.
  public func drain() async { await host.drain() }

  /// Releases the log, after ``drain()``.
  public func close() { host.close() }

  /// Whether the service is being stopped, so that connections should be closed after their answers.
  public var isDraining: Bool { host.isDraining }
}
