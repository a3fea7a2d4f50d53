internal import Platform

/// Whether a request is let in, decided by its head, before its body is read.
public enum Admission: Sendable {
  /// The request is refused with a response.
  case refused(ServiceResponse)
  /// The request is accepted: its body is read and passed on.
  case accepted(AdmittedRequest)
}

/// A request that was let in; its body is missing until a route handles it.
public struct AdmittedRequest: Sendable {
  /// The maximum size of the body in bytes, as received.
  public let bodyLimit: Int
  var visit: Visit
  let route: Route
  let path: PathParameters
  /// The key that the client gave; nil if it gave none yet or the service has no keys.
  var key: ServiceKey?
  /// Whether the key is expected in the body.
  let givesKeyInBody: Bool

  /// The request.
  var request: ServiceRequest { visit.request }
}

/// A request on its way through the service: what its line in the request log needs.
struct Visit: Sendable {
  var request: ServiceRequest
  let id: String
  /// When its head had been read, in nanoseconds of ``MonotonicTime``.
  let began: Int64
}

extension Service {
  /// Decides by its head, a request without its body, whether a request is let in.
  public func admit(_ head: ServiceRequest) -> Admission {
    let visit = Visit(
      request: head, id: observer.ids.id(of: head), began: SystemClock.monotonicNanoseconds)
    var route: Route?
    do throws(ServiceProblem) {
      let segments = try Self.segments(of: head)
      let match = routes.match(head.method, segments)
      if case .found(let found, _) = match { route = found }
      if route == nil || route?.scope != nil { try gate.countAddress(of: head) }
      if head.method == "OPTIONS", route == nil, let response = options(segments, head) {
        return .refused(finish(visit, response, nil, nil))
      }
      let (found, path) = try Self.found(match, head)
      return .accepted(try admit(visit, found, path))
    } catch {
      let response = (route?.problems ?? .agents).response(to: error)
      return .refused(finish(visit, response, route, nil))
    }
  }

  private func admit(
    _ visit: Visit, _ route: Route, _ path: PathParameters
  ) throws(ServiceProblem) -> AdmittedRequest {
    let head = visit.request
    let text = route.scope == nil ? nil : GivenKey.inHead(of: head)
    let expectsKey = text == nil && gate.keys != nil && Self.canGiveKeyInBody(head, route)
    let key = expectsKey ? nil : try gate.key(text, for: route.scope)
    try gate.count(key)
    // Without a key no more is read than a decision needs.
    let limit = expectsKey ? min(route.bodyLimit, Route.decisionBodyLimit) : route.bodyLimit
    if let length = head.fields["content-length"] {
      guard let length = Int(length), length >= 0 else {
        throw ServiceProblem(400, "invalid-length", "content-length must be a number of bytes")
      }
      if length > limit { throw .bodyTooLarge(limit) }
    }
    return AdmittedRequest(
      bodyLimit: limit, visit: visit, route: route, path: path, key: key,
      givesKeyInBody: expectsKey)
  }

  /// Whether a request may have its key in the body, as forms of browsers do.
  private static func canGiveKeyInBody(_ head: ServiceRequest, _ route: Route) -> Bool {
    guard route.scope != nil, case .agents = route.problems else { return false }
    return head.fields["transfer-encoding"] != nil
      || head.fields["content-length"].map { $0 != "0" } ?? !head.body.isEmpty
  }

  private static func segments(of request: ServiceRequest) throws(ServiceProblem) -> [String] {
    let segments = request.segments
    let decoded = segments.compactMap { $0 }
    guard decoded.count == segments.count else {
      throw ServiceProblem(
        400, "invalid-path", "the path has a malformed escape; encode it as UTF-8")
    }
    return decoded
  }

  private static func found(
    _ match: RouteTable.Match, _ request: ServiceRequest
  ) throws(ServiceProblem) -> (Route, PathParameters) {
    switch match {
    case .found(let route, let path): return (route, path)
    case .otherMethods(let methods, _):
      let names = methods.map(\.rawValue).sorted().joined(separator: ", ")
      throw ServiceProblem(
        405, "method-not-allowed",
        "this path does not have the method \(request.method); use \(names)",
        fields: ["allow": names])
    case .none:
      throw ServiceProblem(
        404, "unknown-route", "there is no \(request.path.debugDescription); see /openapi.json")
    }
  }

  /// Returns the answer to OPTIONS, a preflight above all; nil if there is no such path.
  private func options(_ segments: [String], _ request: ServiceRequest) -> ServiceResponse? {
    guard case .otherMethods(let methods, _) = routes.match("OPTIONS", segments) else { return nil }
    return gate.origins.options(methods, for: request)
  }
}

extension ServiceProblem {
  /// The problem of a body that is larger than its route accepts.
  static func bodyTooLarge(_ limit: Int) -> ServiceProblem {
    ServiceProblem(
      413, "body-too-large", "the body has more than \(limit) bytes, which is the maximum")
  }
}
