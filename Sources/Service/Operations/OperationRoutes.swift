internal import DecidingCore
internal import Events

/// The routes for those who run a service: whether it lives, whether it is ready, and how much it does.
struct OperationRoutes: RouteGroup {
  let host: Host
  let observer: Observer
  /// The keys; nil if every route is open.
  let keys: KeyRing?

  var routes: [Route] { [health, readiness, metrics] }

  private static let state = JSONSchema.object(
    ["status": JSONSchema.string, "reason": JSONSchema.string, "keys": JSONSchema.string],
    required: ["status"])

  private var health: Route {
    Route(
      .get, "/healthz", scope: nil,
      Route.Description(
        operation: "getHealth", summary: "Tell that the process answers requests.",
        responses: [(200, "The process answers requests.", Self.state)])
    ) { _ in
      ServiceResponse(json: ["status": "ok"])
    }
  }

  private var readiness: Route {
    Route(
      .get, "/readyz", scope: nil,
      Route.Description(
        operation: "getReadiness", summary: "Tell whether the service accepts changes.",
        responses: [
          (200, "The service accepts changes.", Self.state),
          (503, "The log cannot be written, or the service is being stopped.", Self.state),
        ])
    ) { [host, keys] _ in
      // Keys that cannot be read again do not keep the service from working with those that it has.
      let problem: JSONObject = keys?.problem.map { ["keys": .string($0)] } ?? [:]
      guard let reason = host.unreadiness else {
        return ServiceResponse(json: .object(problem.with("status", "ok")))
      }
      let unready = problem.with("status", "unavailable").with("reason", .string(reason))
      return ServiceResponse(
        status: 503, json: .object(unready),
        fields: ["retry-after": String(Host.retrySeconds)])
    }
  }

  private var metrics: Route {
    Route(
      .get, "/metrics", scope: .read,
      Route.Description(
        operation: "getMetrics", summary: "Return metrics in the text format of Prometheus.",
        responses: [(200, "The metrics.", nil)])
    ) { [host, observer, keys] _ in
      ServiceResponse(
        fields: [
          "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store",
        ],
        body: ServiceMetrics(host, observer, keys).text)
    }
  }
}
