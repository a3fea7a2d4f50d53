import Platform
import Specifications
import Synchronization

/// Ctrl-C, or another signal that asks a process to end, during work that should end between two events, and not in the
/// middle of a file: the first one requests the work to stop, the second ends the process at once.
struct Interrupt: ExitCoded {
  let exitCode = ExitCode.interrupted
  var description = "interrupted"

  /// Global, because a signal handler cannot reach anything else.
  private static let isRequested = Atomic<Bool>(false)

  /// The ends of a pipe that the handler writes to: it wakes a wait for input even if the signal arrives just
  /// before the wait.
  private static let wakeUpReader = Atomic<Int32>(-1)
  private static let wakeUpWriter = Atomic<Int32>(-1)

  /// Installs the handler: from now on the first interrupt is only noted. Under nohup the closing of the terminal is
  /// none.
  static func postpone() {
    guard wakeUpWriter.load(ordering: .relaxed) < 0 else { return }
    var ends: [Int32] = [-1, -1]
    // Safety: the call fills both elements.
    if unsafe pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      wakeUpReader.store(ends[0], ordering: .relaxed)
      wakeUpWriter.store(ends[1], ordering: .relaxed)
    }
    note(SIGINT)
    note(SIGTERM)
    if !isHandled(SIGHUP) { note(SIGHUP) }
  }

  private static func note(_ number: Int32) {
    signal(number) { number in
      let code = errno
      Interrupt.isRequested.store(true, ordering: .relaxed)
      signal(number, SIG_DFL)
      var byte: UInt8 = 0
      // Safety: one byte is written, which outlives the call.
      _ = unsafe write(Interrupt.wakeUpWriter.load(ordering: .relaxed), &byte, 1)
      errno = code
    }
  }

  /// Waits until a descriptor is readable, and returns whether to read it: false once an interrupt was noted.
  static func waitForInput(_ descriptor: Int32) -> Bool {
    var requests = [descriptor, wakeUpReader.load(ordering: .relaxed)].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while !isNoted {
      // Safety: as many requests are passed as are counted.
      if unsafe poll(&requests, nfds_t(requests.count), -1) >= 0 || errno != EINTR { break }
    }
    return !isNoted
  }

  /// Waits for the given time, or until an interrupt arrives or the reader of the descriptor closes it.
  ///
  /// - Throws: ``Interrupt``; ``Failure`` with the exit code of a broken pipe.
  static func pause(milliseconds: Int32, whileOpen descriptor: Int32) throws {
    var requests = [
      pollfd(fd: descriptor, events: 0, revents: 0),
      pollfd(fd: wakeUpReader.load(ordering: .relaxed), events: Int16(POLLIN), revents: 0),
    ]
    // Safety: as many requests are passed as are counted.
    let count = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
    try check()
    // The reader of a pipe or socket has closed it; never reported for a file.
    if count > 0, requests[0].revents & Int16(POLLERR | POLLHUP) != 0 {
      throw Failure(exitCode: Failure.brokenPipe, "the pipe was closed")
    }
  }

  /// Throws when an interrupt was noted.
  static func check() throws(Interrupt) {
    if isNoted { throw Interrupt() }
  }

  /// Whether an interrupt was noted.
  static var isNoted: Bool { isRequested.load(ordering: .relaxed) }
}
