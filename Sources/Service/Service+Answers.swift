internal import Platform

extension Service {
  /// Answers a request that was let in, with its body as received.
  public func respond(to admitted: AdmittedRequest, body: [UInt8]) async -> ServiceResponse {
    var admitted = admitted
    admitted.visit.request.body = body
    do {
      if body.count > admitted.bodyLimit { throw ServiceProblem.bodyTooLarge(admitted.bodyLimit) }
      if admitted.givesKeyInBody {
        admitted.key = try gate.key(
          GivenKey.inBody(of: admitted.request), for: admitted.route.scope)
        try gate.count(admitted.key)
      }
      let response = try await admitted.route.handle(admitted)
      return finish(admitted.visit, response, admitted.route, admitted.key)
    } catch {
      let problem = error as? ServiceProblem ?? ServiceProblem(500, "internal", "\(error)")
      let response = admitted.route.problems.response(to: problem, admitted.path)
      return finish(admitted.visit, response, admitted.route, admitted.key)
    }
  }

  /// Answers a request that was let in and whose body could not be read.
  public func refuse(_ admitted: AdmittedRequest, _ reason: BodyFailure) -> ServiceResponse {
    let problem: ServiceProblem =
      switch reason {
      case .tooLarge: .bodyTooLarge(admitted.bodyLimit)
      case .incomplete:
        ServiceProblem(408, "incomplete-body", "the body did not arrive completely in time")
      }
    return finish(
      admitted.visit, admitted.route.problems.response(to: problem, admitted.path), admitted.route,
      admitted.key)
  }

  /// Answers a request with a problem that the server found.
  public func refuse(_ head: ServiceRequest, _ problem: ServiceProblem) -> ServiceResponse {
    let visit = Visit(
      request: head, id: observer.ids.id(of: head), began: SystemClock.monotonicNanoseconds)
    return finish(visit, ProblemFormat.standard.response(to: problem), nil, nil)
  }

  /// Completes a response, and counts and logs its request.
  func finish(
    _ visit: Visit, _ response: ServiceResponse, _ route: Route?, _ key: ServiceKey?
  ) -> ServiceResponse {
    var response = response
    gate.origins.mark(&response, for: visit.request)
    response.fields["x-request-id"] = visit.id
    if visit.request.method == "HEAD" {
      response.fields["content-length"] = String(response.body.count)
      response.body = []
    }
    observer.observe(visit, response, route, key)
    return response
  }
}

/// Why the body of a request could not be read.
public enum BodyFailure: Sendable {
  /// It has more bytes than ``AdmittedRequest/bodyLimit``.
  case tooLarge
  /// The connection was closed, or the time was over.
  case incomplete
}
