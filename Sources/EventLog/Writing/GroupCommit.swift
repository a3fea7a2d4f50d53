internal import Platform
internal import Synchronization
internal import Threads

/// Group commit for many threads and tasks with few syncs: while one sync runs others append, and all that are waiting
/// when it ends are served by the next.
///
/// A thread that commits runs the sync itself, or waits for the thread that does. A task must not block a thread of
/// the cooperative pool; a thread of the writer's own, which starts with the first task that has to wait and ends with
/// the writer, runs the sync and resumes tasks. Another one, which starts with the first segment that is to be
/// compacted, does that; see ``EndedSegments``.
final class GroupCommit: Sendable {
  let monitor: Monitor<LogWriterState>
  /// Whether the segment that is being compacted is to be left as it is.
  let isAbandoning = Atomic(false)

  init(_ state: consuming sending LogWriterState) {
    monitor = Monitor(state)
  }

  /// Calls the closure at a moment when it is known what of the log is stored, and rethrows its errors; if writing
  /// failed, after it is known what remains of the log.
  func perform<Answer: Sendable>(
    _ body: (inout LogWriterState) throws(LogError) -> Answer
  ) throws(LogError) -> Answer {
    let (result, isSettling) = monitor.wait { state -> (Result<Answer, LogError>, Bool)? in
      guard !state.commits.isSettling else { return nil }
      let result = Result { () throws(LogError) in try body(&state) }
      announce(&state)
      return (result, state.commits.isSettling)
    }
    if isSettling {
      let failure = monitor.wait { $0.commits.isSettling ? nil : .some($0.failure) }
      if let failure { throw failure }
    }
    return try result.get()
  }

  /// Calls the closure at a moment when it is known what of the log is stored.
  func settled<Answer: Sendable>(_ body: (inout LogWriterState) -> Answer) -> Answer {
    monitor.wait { $0.commits.isSettling ? nil : body(&$0) }
  }

  /// Calls the closure, whatever the state of the writer.
  func look<Answer: Sendable>(_ body: (inout LogWriterState) -> Answer) -> Answer {
    monitor.withLock(body)
  }

  /// Calls the closure unless some thread, this one included, is accessing the state. For tests that append during a
  /// sync: it never waits.
  func tryLook<Answer: Sendable>(_ body: (inout LogWriterState) -> Answer) -> Answer? {
    monitor.tryLock(body)
  }

  /// The number of threads that wait for a sync to end, including the committer. For tests that let a sync continue
  /// only when others wait for it.
  var waitingCount: Int { monitor.waitingCount }

  private func announce(_ state: inout LogWriterState) {
    if state.ended.isNew { beginCompacting(&state) }
    guard state.commits.hasNews else { return }
    state.commits.hasNews = false
    monitor.announce()
  }

  // MARK: Committing

  /// Makes everything before a position, of what is appended so far, durable, blocking the thread until it is.
  func commit(upTo position: UInt64 = .max) throws(LogError) -> UInt64 {
    let target = try perform { state throws(LogError) in
      if state.durablePosition >= position { return position }
      if let failure = state.failure { throw state.poisoned(failure) }
      return min(position, state.nextPosition)
    }
    while true {
      let turn = monitor.wait { state in
        defer { announce(&state) }
        return state.commitStep(upTo: target)
      }
      switch turn {
      case .done(let result): return try result.get()
      case .lead(let sync): run(sync)
      }
    }
  }

  private func run(_ sync: LogWriterState.Sync) {
    let result = Result { () throws(LogError) in try sync.file.sync() }
    look { state in
      state.endSync(sync, result)
      announce(&state)
    }
  }

  /// Makes everything before a position, of what is appended so far, durable, suspending the task until it is.
  func commit(upTo position: UInt64 = .max) async throws(LogError) -> UInt64 {
    let result = await withCheckedContinuation { continuation in
      if let result = enlist(continuation, position) { continuation.resume(returning: result) }
    }
    return try result.get()
  }

  /// Registers a task to be resumed by the committer.
  ///
  /// - Returns: The answer, if it is available already.
  private func enlist(
    _ continuation: CheckedContinuation<Result<UInt64, LogError>, Never>, _ position: UInt64
  ) -> Result<UInt64, LogError>? {
    enum Outcome { case known(Result<UInt64, LogError>), waiting, alone }
    let outcome = look { state -> Outcome in
      if state.durablePosition >= position { return .known(.success(state.durablePosition)) }
      if let failure = state.failure { return .known(.failure(state.poisoned(failure))) }
      let target = min(position, state.nextPosition)
      if state.durablePosition >= target { return .known(.success(state.durablePosition)) }
      if state.commits.committer == nil {
        state.commits.committer = start { $0.serveTasks() }
      }
      guard state.commits.committer != nil else { return .alone }
      state.addTask(Commits.Waiter(target: target, continuation: continuation))
      // The thread that is syncing notifies the committer when it ends.
      if !state.commits.isSyncing { monitor.announce() }
      return .waiting
    }
    switch outcome {
    case .known(let result): return result
    case .waiting: return nil
    // If the system has no thread left, blocking this one is better than failing.
    case .alone: return Result { () throws(LogError) in try commit(upTo: position) }
    }
  }

  // MARK: The committer

  /// The main loop of the committer, which runs as long as the writer exists.
  private func serveTasks() {
    while true {
      let action = monitor.wait { state in
        defer { announce(&state) }
        return state.nextAction()
      }
      switch action {
      case .answer(let answers):
        for answer in answers { answer.continuation.resume(returning: answer.result) }
      case .lead(let sync): run(sync)
      case .end: return
      }
    }
  }
}
