import Glibc

/// Does work of tasks, and holds up this thread until it is done.
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

/// How work ended, for the thread that waits for it.
private final class Outcome: Sendable {
  // Safety: the semaphore lives as long as this object; the error is written before it is raised and read after
  // it was taken.
  nonisolated(unsafe) private let done: UnsafeMutablePointer<sem_t>
  nonisolated(unsafe) private var error: (any Error)?

  init() {
    unsafe done = .allocate(capacity: 1)
    unsafe sem_init(done, 0, 0)
  }

  deinit {
    unsafe sem_destroy(done)
    unsafe done.deallocate()
  }

  func end(_ error: (any Error)?) {
    unsafe self.error = error
    unsafe sem_post(done)
  }

  func wait() -> (any Error)? {
    while unsafe sem_wait(done) != 0 {}
    return unsafe error
  }
}
