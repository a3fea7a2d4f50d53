internal import DecidingCore
internal import EventLog
internal import Events

/// Accepts events of other programs: `POST /v1/events`, with one event on each line.
///
/// The events are appended to the log and applied to all systems in its order. A client that does not know whether a
/// request succeeded repeats it: events whose kind, id and slot the log has are not appended again, and neither are the
/// batches of a producer that have the same number. The answer counts, and lists, the events whose content differs from
/// the one that is there.
struct IngestionRoutes: RouteGroup {
  let host: Host

  /// The size from which a body is parsed outside of the cooperative pool, in bytes.
  private static let largeBody = 64 << 10

  var routes: [Route] {
    [
      Route(
        .post, "/v1/events", scope: .ingest, isChanging: true, bodyLimit: SentBytes.limit,
        .appendingEvents, handle: append)
    ]
  }

  @Sendable
  private func append(_ call: AdmittedRequest) async throws -> ServiceResponse {
    let query = try IngestionQuery(call.request)
    let systems = try host.writableSystems()
    let request = call.request
    let isAdmin = call.key?.scopes.contains(.admin) ?? true
    let answer: @Sendable () throws -> EventAppender.Answer = {
      let bytes = try SentBytes.decoded(request)
      let sent = try SentEvents(
        bytes, skipsInvalid: query.skipsInvalid, isAdmin: isAdmin,
        keepsPlaceholders: query.keepsPlaceholders)
      return try EventAppender(systems: systems).append(sent, query.batch)
    }
    do {
      let isLarge = request.body.count >= Self.largeBody
      let answer = try await isLarge ? OwnThread.run(answer) : answer()
      try await host.settle(systems)
      return ServiceResponse(json: answer.json)
    } catch let rejection as SentEvents.Rejection {
      return IngestionProblem.response(to: rejection)
    } catch let gap as IngestionProblem.Gap {
      return gap.response
    } catch let error as LogError {
      if [.badBatch, .badEvent].contains(error.code) {
        throw ServiceProblem(400, "invalid-batch", error.message)
      }
      throw host.failed(systems, error.description)
    }
  }
}
