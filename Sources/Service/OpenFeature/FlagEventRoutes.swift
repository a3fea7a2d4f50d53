internal import DecidingCore
internal import EventLog
internal import Events

/// The collector of the providers of GO Feature Flag, which send evaluations that they answered by themselves.
struct FlagEventRoutes: RouteGroup {
  let host: Host

  var routes: [Route] {
    [
      Route(
        .post, "/v1/data/collector", scope: .client, isChanging: true, bodyLimit: 1 << 20,
        Route.Description(
          operation: "collectFlagEvents",
          summary: "Appends evaluations that a provider of GO Feature Flag answered by itself",
          body: Self.body,
          responses: [
            (200, "The events are durable", Self.answer), (400, "An event is invalid", nil),
          ]),
        handle: collect)
    ]
  }

  @Sendable
  private func collect(_ call: AdmittedRequest) async throws -> ServiceResponse {
    let systems = try host.writableSystems()
    do {
      let collected = try CollectedFlagEvents(call.request.body)
      let sent = try SentEvents(collected.events)
      _ = try EventAppender(systems: systems).append(sent)
      try await host.settle(systems)
      return ServiceResponse(json: ["ingestedContentCount": .integer(Int64(sent.events.count))])
    } catch let problem as CollectedFlagEvents.Problem {
      throw ServiceProblem(400, "invalid-event", problem.message)
    } catch let rejection as SentEvents.Rejection {
      throw ServiceProblem(
        400, "invalid-event", "events[\(rejection.line - 1)]: \(rejection.reason)")
    } catch let error as LogError {
      throw host.failed(systems, error.description)
    }
  }

  private static let name: JSONValue = ["type": "string", "minLength": 1]

  private static let body = JSONSchema.object(
    [
      "meta": ["type": ["object", "null"]],
      "events": JSONSchema.list(
        of: JSONSchema.object(
          [
            "kind": JSONSchema.word(["feature", "tracking"]), "userKey": name, "key": name,
            "creationDate": [
              "type": "number", "description": "Seconds or milliseconds since 1970",
            ],
            "variation": JSONSchema.string, "value": [:], "default": JSONSchema.boolean,
          ], required: ["userKey", "key", "creationDate"])),
    ], required: ["events"])

  private static let answer = JSONSchema.object(
    ["ingestedContentCount": JSONSchema.count], required: ["ingestedContentCount"])
}
