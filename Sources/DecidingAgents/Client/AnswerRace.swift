internal import DecidingCore
internal import Threads

/// One outcome out of three: the transport answers, time is up, or the caller's task is cancelled. The first one
/// holds, whatever comes later is dropped, and the caller continues exactly once.
///
/// The tasks are not children of the caller's task: it would have to wait for a transport that does not give up.
final class AnswerRace: Sendable {
  typealias Outcome = Result<AgentReply, AgentError>

  private struct Content: Sendable {
    var outcome: Outcome?
    var caller: CheckedContinuation<Outcome, Never>?
    var tasks: [Task<Void, Never>] = []
  }

  private let content = Monitor(Content())

  private init() {}

  /// What the transport answers within the limit, by the given clock.
  static func outcome(
    of request: AgentRequest, over transport: any AgentTransport, within limit: Duration,
    time: any TimeSource
  ) async -> Outcome {
    if transport.answersAtOnce { return await answer(to: request, over: transport) }
    let race = AnswerRace()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        race.start(caller) {
          [
            Task { race.settle(await answer(to: request, over: transport)) },
            // A clock throws only when this task is cancelled, which the end of the race does.
            Task {
              if (try? await time.sleep(for: limit)) != nil {
                race.settle(.failure(.timeout(limit)))
              }
            },
          ]
        }
      }
    } onCancel: {
      race.settle(.failure(.network("the task that asked was cancelled")))
    }
  }

  private static func answer(
    to request: AgentRequest, over transport: any AgentTransport
  ) async -> Outcome {
    do {
      return .success(try await transport.send(request))
    } catch let error as AgentError {
      return .failure(error)
    } catch {
      return .failure(.network("\(error)"))
    }
  }

  /// Has the caller wait for the outcome, and starts the tasks, unless there is an outcome already.
  private func start(
    _ caller: CheckedContinuation<Outcome, Never>, _ tasks: () -> [Task<Void, Never>]
  ) {
    let early = content.withLock { content in
      if content.outcome == nil { content.caller = caller }
      return content.outcome
    }
    if let early { return caller.resume(returning: early) }
    let started = tasks()
    let isOver = content.withLock { content in
      if content.outcome == nil { content.tasks = started }
      return content.outcome != nil
    }
    if isOver { for task in started { task.cancel() } }
  }

  /// The first outcome ends the race.
  private func settle(_ outcome: Outcome) {
    let ended: Content = content.withLock { content in
      guard content.outcome == nil else { return Content() }
      let ended = content
      content = Content(outcome: outcome)
      return ended
    }
    ended.caller?.resume(returning: outcome)
    for task in ended.tasks { task.cancel() }
  }
}
