internal import Platform
internal import Threads

/// The signals that end the service, received by a thread of their own.
enum Signals {
  private static var ending: sigset_t {
    var signals = sigset_t()
    // Safety: the calls change the set and keep no pointer.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    return signals
  }

  /// Blocks the signals in this thread and in all that it starts. Must be called before any thread is started.
  static func block() {
    var signals = ending
    // Safety: the set outlives the call.
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Starts the thread: the first signal calls the closure, the second one ends the process at once.
  static func receive(_ first: @escaping @Sendable () -> Void) {
    let isStarted = Workers.detach {
      _ = wait()
      first()
      _exit(128 + wait())
    }
    if !isStarted { Message.print("warning: no thread is left to wait for signals") }
  }

  private static func wait() -> Int32 {
    var signals = ending
    var number: Int32 = 0
    // Safety: both outlive the call.
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }
}
