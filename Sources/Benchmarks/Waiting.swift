import Platform

/// Runs asynchronous work and blocks this thread until it is done.
func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
  let outcome = Outcome()
  Task {
    do {
      try await work()
      outcome.end(nil)
    } catch {
      outcome.end(error)
    }
  }
  if let error = outcome.wait() { throw error }
}

/// The result of the work, for the waiting thread.
@safe
private final class Outcome: Sendable {
  // Safety: the semaphore lives as long as this object; the error is written before it is raised and read after
  // it was taken.
  nonisolated(unsafe) private let done: UnsafeMutablePointer<sem_t>
  nonisolated(unsafe) private var error: (any Error)?

  init() {
    // Safety: the semaphore is initialized before anyone else can have this object.
    unsafe done = .allocate(capacity: 1)
    unsafe sem_init(done, 0, 0)
  }

  deinit {
    // Safety: the last reference is gone, so no thread posts or waits any more.
    unsafe sem_destroy(done)
    unsafe done.deallocate()
  }

  func end(_ error: (any Error)?) {
    // Safety: `end` is called once, and the other thread reads the error only after the semaphore was posted.
    unsafe self.error = error
    unsafe sem_post(done)
  }

  func wait() -> (any Error)? {
    // Safety: the error was written before the post that ended the wait, and is not written again.
    while unsafe sem_wait(done) != 0 {}
    return unsafe error
  }
}
