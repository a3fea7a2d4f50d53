internal import DecidingCore
internal import EventLog
internal import Events

/// Accepts events of other programs: `POST /v1/events`, with one event on each line.
///
/// The events are appended to the log and applied to all systems in its order. A client that does not know whether a
/// request succeeded repeats it: events with an id that the log has are not appended again, and neither are the batches
/// of a producer that have the same number.
struct IngestionRoutes: RouteGroup {
  let host: Host

  /// The number of events that are appended before other requests may proceed.
  private static let portion = 1_000
  /// The size from which a body is parsed outside of the cooperative pool, in bytes.
  private static let largeBody = 64 << 10

  var routes: [Route] {
    [
      Route(
        .post, "/v1/events", scope: .ingest, isChanging: true, bodyLimit: SentBytes.limit,
        IngestionSchema.description, handle: append)
    ]
  }

  @Sendable
  private func append(_ call: RouteCall) async throws -> ServiceResponse {
    let query = try IngestionQuery(call.request)
    let systems = try host.writableSystems()
    let request = call.request
    let isAdmin = call.key?.scopes.contains(.admin) ?? true
    let answer: @Sendable () throws -> Answer = {
      let bytes = try SentBytes.decoded(request)
      let sent = try SentEvents(bytes, skipsInvalid: query.skipsInvalid, isAdmin: isAdmin)
      return try append(sent, query, systems)
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

  // MARK: Appending

  /// The outcome of a request.
  private struct Answer: Sendable {
    var appended = 0
    var alreadyThere = 0
    /// The position after the last event of the log.
    var position: UInt64 = 0
    var rejected = 0
    var rejections: [SentEvents.Rejection] = []

    var json: JSONValue {
      var object: JSONObject = [
        "appended": .integer(Int64(appended)), "already_there": .integer(Int64(alreadyThere)),
        "rejected": .integer(Int64(rejected)),
        "position": .integer(Int64(clamping: position)),
      ]
      if !rejections.isEmpty {
        object["rejections"] = .array(
          rejections.map { ["line": .integer(Int64($0.line)), "message": .string($0.message)] })
      }
      return .object(object)
    }
  }

  private func append(
    _ sent: SentEvents, _ query: IngestionQuery, _ systems: Systems
  ) throws -> Answer {
    var answer = Answer(rejected: sent.rejected, rejections: sent.rejections)
    answer.position = systems.writer.nextPosition
    if let batch = query.batch {
      try append(sent, batch.producer, batch.sequence, systems, &answer)
    } else {
      for start in stride(from: 0, to: sent.records.count, by: Self.portion) {
        let range = start..<min(start + Self.portion, sent.records.count)
        try append(sent, range, systems, &answer)
      }
    }
    return answer
  }

  /// Appends those of the events whose ids the log does not have.
  private func append(
    _ sent: SentEvents, _ range: Range<Int>, _ systems: Systems, _ answer: inout Answer
  ) throws(LogError) {
    let (appended, position) = try systems.appendForAll { writer throws(LogError) in
      var logged: [LoggedEvent] = []
      logged.reserveCapacity(range.count)
      for index in range {
        if case .new(let position) = try writer.appendOnce(parsed: sent.records[index]) {
          logged.append(LoggedEvent(position: position, event: sent.events[index]))
        }
      }
      return (logged, (logged.count, writer.nextPosition))
    }
    answer.appended += appended
    answer.alreadyThere += range.count - appended
    answer.position = position
  }

  /// Appends the events as a batch of a producer, unless the log has it.
  private func append(
    _ sent: SentEvents, _ producer: ProducerID, _ sequence: UInt64, _ systems: Systems,
    _ answer: inout Answer
  ) throws {
    let (isNew, position) = try systems.appendForAll {
      writer throws -> ([LoggedEvent], (Bool, UInt64)) in
      let result: Appended
      do throws(LogError) {
        result = try writer.append(sent.events, producer: producer, sequence: sequence)
      } catch {
        guard error.code == .outOfSequence else { throw error }
        throw IngestionProblem.Gap(expected: writer.lastSequence(of: producer) + 1, given: sequence)
      }
      guard case .new(let first) = result else { return ([], (false, writer.nextPosition)) }
      let logged = sent.events.enumerated().map { index, event in
        LoggedEvent(position: first + UInt64(index), event: event)
      }
      return (logged, (true, writer.nextPosition))
    }
    if isNew {
      answer.appended = sent.events.count
    } else {
      answer.alreadyThere = sent.events.count
    }
    answer.position = position
  }
}
