import Glibc
import Synchronization

/// Ctrl-C during work that should end at a whole event, and not in the middle of a file: the first one asks
/// the work to stop, the second ends the process at once.
struct Interrupt: Error {
  /// A signal handler can reach nothing but what is global.
  private static let isRequested = Atomic<Bool>(false)

  /// From now on the first interrupt is only noted.
  static func postpone() {
    signal(SIGINT) { _ in
      Interrupt.isRequested.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// Throws when an interrupt was noted.
  static func check() throws(Interrupt) {
    if isRequested.load(ordering: .relaxed) { throw Interrupt() }
  }
}
