internal import Events

/// How the clients of a protocol expect problems to be described.
enum ProblemFormat: Sendable {
  /// `{"err":"…","code":"invalid-code"}`.
  case agents
  /// `{"errorCode":"GENERAL","errorDetails":"invalid-path: …"}`, with the one code of the protocol that fits, and the
  /// key of the flag where the path has one.
  case openFeature
  /// `{"error":{"code":"…","message":"…"}}`, as rank and reward clients and everyone else expect.
  case standard

  /// Returns the response to a problem of a request whose path has some parameters.
  func response(
    to problem: ServiceProblem, _ path: PathParameters = PathParameters()
  ) -> ServiceResponse {
    var response = ServiceResponse(status: problem.status, json: body(of: problem, path))
    for field in problem.fields.list { response.fields.append(field.name, field.value) }
    if let seconds = problem.retryAfter { response.fields["retry-after"] = String(seconds) }
    return response
  }

  private func body(of problem: ServiceProblem, _ path: PathParameters) -> JSONValue {
    let (code, message) = (JSONValue.string(problem.code), JSONValue.string(problem.message))
    return switch self {
    case .agents: ["err": message, "code": code]
    case .openFeature:
      FlagProblem(.general, "\(problem.code): \(problem.message)")
        .json(key: path["key"].isEmpty ? nil : path["key"])
    case .standard: ["error": ["code": code, "message": message]]
    }
  }
}
