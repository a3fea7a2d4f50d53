package import Glibc

/// A value for one thread at a time, on whose changes threads can wait.
///
/// `Mutex` of the standard library has nothing to wait with, and what it does when two threads meet is hidden
/// from the thread sanitizer; these are the threads of POSIX, which it knows.
@safe
package final class Monitor<State>: Sendable {
  @usableFromInline
  struct Content {
    @usableFromInline var state: State
    /// How many threads wait for the next announcement.
    @usableFromInline var waiting = 0
    /// How many announcements there were.
    @usableFromInline var announcements = 0

    @usableFromInline
    init(state: State) { self.state = state }
  }

  // Safety: the three are made in `init` and freed in `deinit`, when nobody has a reference any more. The state
  // is touched by whoever holds the mutex, and only by it; the other two are made for many threads.
  @usableFromInline nonisolated(unsafe) let content: UnsafeMutablePointer<Content>
  @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline nonisolated(unsafe) let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Makes a monitor of the value.
  package init(_ state: consuming sending State) {
    // Safety: memory for one value each, initialised before it is used. Neither call can fail on Linux when it
    // is given no attributes.
    unsafe content = .allocate(capacity: 1)
    unsafe content.initialize(to: Content(state: state))
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    // Safety: the last reference is gone, so nobody holds the mutex or waits.
    unsafe content.deinitialize(count: 1)
    unsafe content.deallocate()
    unsafe pthread_cond_destroy(changed)
    unsafe changed.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls the closure when no other thread is at the state. It must not come back to the monitor, but for
  /// ``announce()``.
  @inlinable
  package func withLock<Answer: Sendable, Problem: Error>(
    _ body: (inout State) throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    // Safety: the mutex is held while the state is touched, and let go on every way out.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&content.pointee.state)
  }

  /// Calls the closure if no thread is at the state, not even this one.
  ///
  /// - Returns: What the closure answers; nil when it was not called.
  package func tryLock<Answer: Sendable>(_ body: (inout State) -> Answer) -> Answer? {
    // Safety: as in `withLock`.
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&content.pointee.state)
  }

  /// Calls the closure until it has an answer: now, and again after each announcement. While it waits other
  /// threads are at the state, so what the closure saw the last time may have changed.
  package func wait<Answer: Sendable>(for body: (inout State) -> Answer?) -> Answer {
    // Safety: as in `withLock`; waiting lets the mutex go and takes it again, and between two calls of the
    // closure nothing here holds on to the state.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let answer = unsafe body(&content.pointee.state) { return answer }
      let seen = unsafe content.pointee.announcements
      unsafe content.pointee.waiting += 1
      unsafe pthread_cond_wait(changed, mutex)
      // An announcement counts nobody any more; a thread that woke without one was still counted.
      if unsafe content.pointee.announcements == seen { unsafe content.pointee.waiting -= 1 }
    }
  }

  /// How many threads wait for the next announcement; those that heard the last one do not.
  package var waitingCount: Int {
    // Safety: as in `withLock`.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe content.pointee.waiting
  }

  /// Has every thread that waits look again. It is called by a closure that is at the state.
  package func announce() {
    // Safety: whoever is at the state holds the mutex.
    unsafe content.pointee.announcements += 1
    unsafe content.pointee.waiting = 0
    unsafe pthread_cond_broadcast(changed)
  }
}
