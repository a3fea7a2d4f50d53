internal import DecidingCore
internal import Threads

/// A race between three outcomes: the transport answers, the timeout passes, or the caller's task is
/// cancelled. The first one wins, later ones are dropped, and the caller is resumed exactly once.
///
/// The tasks are not children of the caller's task, which would otherwise have to wait for a transport that
/// ignores cancellation.
final class AnswerRace: Sendable {
  typealias Outcome = Result<AgentReply, AgentError>

  private struct Content: Sendable {
    var outcome: Outcome?
    var caller: CheckedContinuation<Outcome, Never>?
    var tasks: [Task<Void, Never>] = []
  }

  private let content = Monitor(Content())

  private init() {}

  /// Returns the answer of the transport within the timeout, by the given clock.
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
            // The clock throws only when this task is cancelled, that is, when the race has ended.
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

  /// Suspends the caller until there is an outcome, and starts the tasks, unless there is one already.
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

  /// Ends the race with its first outcome.
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
