internal import DecidingCore
internal import Events

/// The OpenFeature Remote Evaluation Protocol (OFREP), version 1: flags, experiments, rollouts and agents are evaluated
/// as flags. The evaluation of one flag is an exposure. That of all flags is a prefetch unless the context says that it
/// is an exposure: a goal, or an exposure of the client's own, confirms what agents decided for it.
struct OpenFeatureRoutes: RouteGroup {
  let host: Host

  var routes: [Route] { [evaluateRoute, evaluateAllRoute] }

  private var evaluateRoute: Route {
    Route(
      .post, "/ofrep/v1/evaluate/flags/{key}", scope: .client, isChanging: true,
      problems: .openFeature,
      Route.Description(
        operation: "evaluateFlag",
        summary: "Evaluates a flag for a context, and records the exposure",
        body: JSONSchema.evaluationContext,
        responses: [
          (200, "The value of the flag", JSONSchema.evaluation),
          (400, "The body or the context is invalid", JSONSchema.evaluationFailure),
          (404, "There is no such flag", JSONSchema.evaluationFailure),
        ]),
      handle: evaluate)
  }

  private var evaluateAllRoute: Route {
    Route(
      .post, "/ofrep/v1/evaluate/flags", scope: .client, isChanging: true, problems: .openFeature,
      Route.Description(
        operation: "evaluateFlags",
        summary:
          "Evaluates all flags for a context, provisionally unless the context has exposure: true",
        parameters: [JSONSchema.ifNoneMatch], body: JSONSchema.evaluationContext,
        responses: [
          (200, "The values of all flags, with an ETag", JSONSchema.evaluations),
          (304, "Nothing has changed since the ETag of If-None-Match", nil),
          (400, "The body or the context is invalid", JSONSchema.evaluationProblem),
        ]),
      handle: evaluateAll)
  }

  @Sendable
  private func evaluate(_ call: AdmittedRequest) async throws -> ServiceResponse {
    let key = call.path["key"]
    do {
      let context = try FlagContext(call.request.body)
      return try await settled { systems in
        let evaluator = FlagEvaluator(systems: systems, context: context, isPrefetch: false)
        return ServiceResponse(typed: try evaluator.evaluate(key).json)
      }
    } catch let problem as FlagProblem {
      return problem.response(key: key)
    }
  }

  @Sendable
  private func evaluateAll(_ call: AdmittedRequest) async throws -> ServiceResponse {
    do {
      let context = try FlagContext(call.request.body)
      return try await settled { systems in
        let evaluator = FlagEvaluator(
          systems: systems, context: context, isPrefetch: !context.isExposure)
        let flags = try evaluator.evaluateAll()
        let tag = Self.tag(of: flags)
        guard !tag.isMatched(by: call.request) else { return tag.notModified }
        return ServiceResponse(typed: ["flags": .array(flags)], fields: ["etag": tag.text])
      }
    } catch let problem as FlagProblem {
      return problem.response(key: nil)
    }
  }

  /// Returns the tag of evaluations, which says whether values are the same: reasons differ between the first
  /// evaluation and later ones.
  private static func tag(of flags: [JSONValue]) -> EntityTag {
    let values = flags.map { flag -> JSONValue in
      guard let flag = flag.object else { return flag }
      return .object(
        JSONObject(flag.members.filter { $0.name != "reason" && $0.name != "metadata" }))
    }
    return EntityTag(of: Array(JSONValue.array(values).description.utf8), isWeak: true)
  }

  /// Calls the closure with the systems, and waits until its answer is durable.
  private func settled(
    _ body: (Systems) throws -> ServiceResponse
  ) async throws -> ServiceResponse {
    let systems = try host.writableSystems()
    do {
      let response = try body(systems)
      try await host.settle(systems)
      return response
    } catch let error as FlagEvaluator.NotRecorded {
      throw host.failed(systems, error.reason)
    }
  }
}
