internal import Platform

/// The shared state of commits from several threads and tasks.
///
/// At most one sync of the log's file runs at a time, because the system reports a write failure to only one of the
/// calls that wait for it. It runs outside of the writer's monitor, so that others can append. While it runs
/// (`isSyncing`):
///
/// - the file stays the one that is written: no segment is ended before the sync is;
/// - others write frames only after `offset`, never where the sync is at work;
/// - `durablePosition` and `durableOffset` stay: nothing is acknowledged except by the end of a sync that began after
///   it was written, whatever else may have reached the disk;
/// - nothing is truncated: a failure meanwhile is only recorded in `trouble`, further calls are refused, and the end
///   of the sync determines what is stored.
///
/// Whenever no sync runs, the bytes before `durableOffset` are therefore durable, those from there to `offset` are
/// complete frames of which nothing was acknowledged, and a failed writer may truncate after `durableOffset` what it
/// cannot make durable.
struct Commits {
  /// A task that waits until everything before a position is durable.
  struct Waiter {
    var target: UInt64
    var continuation: CheckedContinuation<Result<UInt64, LogError>, Never>
  }

  var isSyncing = false
  /// The failure that occurred while a sync was running.
  var trouble: LogError?
  /// Whether something happened that waiters must look at.
  var hasNews = false
  /// The waiting tasks, in the order of the positions that they wait for.
  var tasks: [Waiter] = []
  /// The thread that commits for tasks.
  var committer: SystemThread?
  /// Whether the writer is being released or closed.
  var isEnding = false
  /// Whether the writer is being closed, or is: no sync begins any more.
  var isClosing = false
  /// Whether the writer has been released or closed.
  var isEnded = false

  /// Returns the place of a position among others in ascending order, behind those that are equal. It is nearly always
  /// the last, where the search begins.
  static func place(
    of target: UInt64, among targets: some RandomAccessCollection<UInt64>
  ) -> Int {
    targets.reversed().prefix { $0 > target }.count.distance(to: targets.count)
  }

  /// Whether something failed and it is not known yet what is stored.
  var isSettling: Bool { isSyncing && trouble != nil }
}

extension LogWriterState {
  /// A sync to be run outside of the monitor, with the part of the log that it makes durable.
  struct Sync: Sendable {
    var file: any DiskFile
    var position: UInt64
    var offset: UInt64
  }

  /// The next action of a thread that commits.
  enum CommitStep: Sendable {
    case done(Result<UInt64, LogError>)
    case lead(Sync)
  }

  /// Returns the next action of a thread that waits until everything before the target is durable; nil to keep
  /// waiting.
  ///
  /// A thread that finds no sync running leads the next one, for all that wait: it covers everything appended by then.
  mutating func commitStep(upTo target: UInt64) -> CommitStep? {
    if durablePosition >= target { return .done(.success(durablePosition)) }
    if let failure { return .done(.failure(failure)) }
    if commits.isSyncing || commits.isClosing { return nil }
    do throws(LogError) {
      return try beginSync().map { .lead($0) } ?? .done(.success(durablePosition))
    } catch {
      return .done(.failure(error))
    }
  }

  /// Writes the events in memory and begins a sync of everything written; nil if there is nothing to sync.
  private mutating func beginSync() throws(LogError) -> Sync? {
    try writeFrames()
    guard durablePosition < writtenPosition else { return nil }
    producers.beginSync()
    commits.isSyncing = true
    return Sync(file: file, position: writtenPosition, offset: offset)
  }

  /// Processes the result of a sync.
  mutating func endSync(_ sync: Sync, _ result: Result<Void, LogError>) {
    commits.isSyncing = false
    let trouble = commits.trouble
    commits.trouble = nil
    switch result {
    case .success:
      do throws(LogError) {
        try checkPlace()
      } catch {
        _ = fail(error)
        return
      }
      noteSynced(to: sync.position, sync.offset)
      if let trouble { _ = fail(trouble) }
    case .failure(let error):
      hasFailedSync = true
      _ = fail(trouble ?? error)
    }
  }

  // MARK: Tasks

  /// Adds a task to those that wait, behind all that wait for the same position.
  mutating func addTask(_ task: Commits.Waiter) {
    let place = Commits.place(of: task.target, among: commits.tasks.lazy.map(\.target))
    commits.tasks.insert(task, at: place)
  }

  /// The next action of the thread that commits for tasks.
  enum Action: Sendable {
    /// Resumes tasks, in this order.
    case answer([Answer])
    case lead(Sync)
    case end
  }

  /// A task and its result.
  struct Answer: Sendable {
    var continuation: CheckedContinuation<Result<UInt64, LogError>, Never>
    var result: Result<UInt64, LogError>
  }

  /// Returns the committer's next action; nil to wait.
  mutating func nextAction() -> Action? {
    while true {
      let answers = takeAnswers()
      if !answers.isEmpty { return .answer(answers) }
      guard let first = commits.tasks.first else { return canCommitterEnd ? .end : nil }
      switch commitStep(upTo: first.target) {
      case nil: return nil
      case .lead(let sync): return .lead(sync)
      // Writing has failed, or has made everything durable on the way: now there is a result.
      case .done: continue
      }
    }
  }

  /// Whether no task can begin to wait any more. While a writer is being closed they still do, until it is stopped.
  private var canCommitterEnd: Bool {
    commits.isEnding && (failure != nil || !commits.isClosing)
  }

  /// Removes and returns the tasks whose wait is over.
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
