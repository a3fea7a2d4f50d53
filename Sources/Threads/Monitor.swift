public import Platform

/// A value that one thread at a time can access, with a condition that threads can wait for.
///
/// `Mutex` of the standard library has no condition to wait for, and its synchronization is invisible to the thread
/// sanitizer; this one uses POSIX threads, which the sanitizer knows.
///
/// It is public, because the compiler inlines and specializes nothing that is only of the package into other modules.
@safe
public final class Monitor<State>: Sendable {
  @usableFromInline
  struct Content {
    @usableFromInline var state: State
    /// The number of threads that wait for the next announcement.
    @usableFromInline var waiting = 0
    /// The number of announcements so far.
    @usableFromInline var announcements = 0

    @usableFromInline
    init(state: State) { self.state = state }
  }

  // Safety: the three are allocated in `init` and freed in `deinit`, when no reference is left. The state is accessed
  // only by the thread that holds the mutex; the other two are made for concurrent use.
  @usableFromInline nonisolated(unsafe) let content: UnsafeMutablePointer<Content>
  @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline nonisolated(unsafe) let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Creates a monitor of the value.
  public init(_ state: consuming sending State) {
    // Safety: memory for one value each, initialised before it is used. Neither call can fail on Linux without
    // attributes.
    unsafe content = .allocate(capacity: 1)
    unsafe content.initialize(to: Content(state: state))
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    // Safety: the last reference is gone, so no thread holds the mutex or waits.
    unsafe content.deinitialize(count: 1)
    unsafe content.deallocate()
    unsafe pthread_cond_destroy(changed)
    unsafe changed.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls the closure while no other thread accesses the state. The closure must not call the monitor, except for
  /// ``announce()``.
  @inlinable
  public func withLock<Answer: Sendable, Problem: Error>(
    _ body: (inout State) throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    // Safety: the mutex is held while the state is accessed, and released on every path.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&content.pointee.state)
  }

  /// Calls the closure if no thread, not even this one, is accessing the state.
  ///
  /// - Returns: The result of the closure; nil if it was not called.
  public func tryLock<Answer: Sendable>(_ body: (inout State) -> Answer) -> Answer? {
    // Safety: as in `withLock`.
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&content.pointee.state)
  }

  /// Calls the closure until it returns a value: now, and again after each announcement. While it waits other threads
  /// may access the state, so what the closure saw the last time may have changed.
  public func wait<Answer: Sendable>(for body: (inout State) -> Answer?) -> Answer {
    // Safety: as in `withLock`; waiting releases the mutex and reacquires it, and between two calls of the closure
    // nothing here retains the state.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let answer = unsafe body(&content.pointee.state) { return answer }
      let seen = unsafe content.pointee.announcements
      unsafe content.pointee.waiting += 1
      unsafe pthread_cond_wait(changed, mutex)
      // An announcement resets the count; a thread that woke up without one is still counted.
      if unsafe content.pointee.announcements == seen { unsafe content.pointee.waiting -= 1 }
    }
  }

  /// The number of threads that wait for the next announcement; those woken by the last one are not included.
  public var waitingCount: Int {
    // Safety: as in `withLock`.
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe content.pointee.waiting
  }

  /// Wakes every waiting thread to check its condition again. Must be called by a closure that has access to the
  /// state.
  public func announce() {
    // Safety: the caller holds the mutex while it has access to the state.
    unsafe content.pointee.announcements += 1
    unsafe content.pointee.waiting = 0
    unsafe pthread_cond_broadcast(changed)
  }
}
