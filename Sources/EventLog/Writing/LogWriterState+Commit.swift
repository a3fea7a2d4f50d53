/// What the commits of several threads and tasks share.
///
/// At most one sync of the log's file runs at a time, because the system tells of a failure to write only one
/// of the calls that wait for it. It runs outside of the writer's monitor, so that others can append. While it
/// runs (`isSyncing`):
///
/// - the file stays the one that is written: no segment is ended before the sync has;
/// - others write frames only behind `offset`, never where the sync is at work;
/// - `durablePosition` and `durableOffset` stay: nothing is acknowledged but by the end of a sync that began
///   after it was written, whatever else may have reached the disk;
/// - nothing is cut off: a failure meanwhile only becomes `trouble`, no call is taken any more, and the end of
///   the sync decides what is stored.
///
/// So whenever no sync runs, the bytes before `durableOffset` are durable, those from there to `offset` are
/// whole frames of which nothing was acknowledged, and a failed writer may cut behind `durableOffset` what it
/// cannot make durable.
struct Commits {
  /// A task that waits until everything before a position is durable.
  struct Waiter {
    var target: UInt64
    var continuation: CheckedContinuation<Result<UInt64, LogError>, Never>
  }

  var isSyncing = false
  /// What failed while a sync was running.
  var trouble: LogError?
  /// Whether something happened that those who wait must look at.
  var hasNews = false
  /// The tasks that wait, in the order of what they wait for.
  var tasks: [Waiter] = []
  /// The thread that commits for tasks.
  var committer: UInt?
  /// Whether the writer is gone.
  var isEnding = false

  /// Whether something failed and it is not known yet what is stored.
  var isSettling: Bool { isSyncing && trouble != nil }
}

extension LogWriterState {
  /// A sync that somebody has to run outside of the monitor: what of the log it makes durable.
  struct Sync: Sendable {
    var file: any DiskFile
    var position: UInt64
    var offset: UInt64
  }

  /// What a thread that commits does next.
  enum Turn: Sendable {
    case done(Result<UInt64, LogError>)
    case lead(Sync)
  }

  /// The turn of a thread that waits until everything before the target is durable; nil to go on waiting.
  ///
  /// Whoever finds no sync running leads the next one, for all who wait: it covers everything appended by then.
  mutating func turn(upTo target: UInt64) -> Turn? {
    if durablePosition >= target { return .done(.success(durablePosition)) }
    if let failure { return .done(.failure(failure)) }
    if commits.isSyncing { return nil }
    do throws(LogError) {
      return try beginSync().map { .lead($0) } ?? .done(.success(durablePosition))
    } catch {
      return .done(.failure(error))
    }
  }

  /// Writes what is in memory and begins a sync of everything written; nil when there is nothing to sync.
  private mutating func beginSync() throws(LogError) -> Sync? {
    if batch.count > 0 { try writeFrame() }
    guard durablePosition < writtenPosition else { return nil }
    producers.beginSync()
    commits.isSyncing = true
    return Sync(file: file, position: writtenPosition, offset: offset)
  }

  /// Takes the result of a sync.
  mutating func endSync(_ sync: Sync, _ result: Result<Void, LogError>) {
    commits.isSyncing = false
    let trouble = commits.trouble
    commits.trouble = nil
    switch result {
    case .success:
      noteSynced(to: sync.position, sync.offset)
      if let trouble { _ = fail(trouble) }
    case .failure(let error):
      hasFailedSync = true
      _ = fail(trouble ?? error)
    }
  }

  // MARK: Tasks

  /// What the thread that commits for tasks does next.
  enum Duty: Sendable {
    /// Gives answers, in this order.
    case answer([Answer])
    case lead(Sync)
    case end
  }

  /// A task and what it is told.
  struct Answer: Sendable {
    var continuation: CheckedContinuation<Result<UInt64, LogError>, Never>
    var result: Result<UInt64, LogError>
  }

  /// The committer's next duty; nil to wait.
  mutating func duty() -> Duty? {
    while true {
      let answers = takeAnswers()
      if !answers.isEmpty { return .answer(answers) }
      guard let first = commits.tasks.first else { return commits.isEnding ? .end : nil }
      switch turn(upTo: first.target) {
      case nil: return nil
      case .lead(let sync): return .lead(sync)
      // Writing has failed, or has made everything durable on the way: now there is an answer.
      case .done: continue
      }
    }
  }

  /// Takes out the tasks that have waited long enough.
  private mutating func takeAnswers() -> [Answer] {
    let tasks = commits.tasks
    let isOver = failure != nil
    let count = tasks.firstIndex { $0.target > durablePosition && !isOver } ?? tasks.count
    guard count > 0 else { return [] }
    commits.tasks.removeFirst(count)
    return tasks.prefix(count).map { task in
      guard task.target > durablePosition, let failure else {
        return Answer(continuation: task.continuation, result: .success(durablePosition))
      }
      return Answer(continuation: task.continuation, result: .failure(failure))
    }
  }
}
