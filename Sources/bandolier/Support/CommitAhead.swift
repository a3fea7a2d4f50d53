import Threads

/// Commits on a thread of its own, while more is read and appended. What comes meanwhile is served by the next commit.
final class CommitAhead {
  private struct State {
    /// The greatest number that was asked for, and the greatest that was committed.
    var wanted = 0
    var done = 0
    var failure: (any Error)?
    var isOver = false
  }

  private let state: Monitor<State>
  private let commit: @Sendable (Int) throws -> Void
  private let isThreaded: Bool

  /// Begins to commit.
  ///
  /// - Parameter commit: Called on one thread at a time with a number that was asked for.
  init(_ commit: @escaping @Sendable (Int) throws -> Void) {
    let state = Monitor(State())
    self.state = state
    self.commit = commit
    isThreaded = Workers.detach { Self.run(state, commit) }
  }

  deinit {
    state.withLock {
      $0.isOver = true
      state.announce()
    }
  }

  /// Asks for a commit of everything so far.
  ///
  /// - Parameter number: A number that grows with what is there.
  /// - Throws: The error of an earlier commit.
  func request(_ number: Int) throws {
    guard isThreaded else { return try commit(number) }
    try state.withLock {
      if let failure = $0.failure { throw failure }
      $0.wanted = number
      state.announce()
    }
  }

  /// Returns once everything that was asked for is committed.
  ///
  /// - Throws: The error of a commit.
  func wait() throws {
    guard isThreaded else { return }
    let failure: (any Error)?? = state.wait { state in
      if let failure = state.failure { return .some(failure) }
      return state.done == state.wanted ? .some(nil) : nil
    }
    if let failure = failure ?? nil { throw failure }
  }

  /// Commits until the end or a failure.
  private static func run(_ state: Monitor<State>, _ commit: (Int) throws -> Void) {
    while let number = next(of: state) {
      do {
        try commit(number)
        state.withLock {
          $0.done = number
          state.announce()
        }
      } catch {
        return state.withLock {
          $0.failure = error
          state.announce()
        }
      }
    }
  }

  /// Waits for a number that is not committed; nil at the end.
  private static func next(of state: Monitor<State>) -> Int? {
    state.wait { state -> Int?? in
      if state.wanted > state.done { return .some(state.wanted) }
      return state.isOver ? .some(nil) : nil
    }
  }
}
