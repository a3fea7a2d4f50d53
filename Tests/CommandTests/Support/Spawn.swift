import Foundation
import Platform

/// Starts a program without a shell, with the given descriptors as its standard streams and with the usual
/// answer to every signal.
func spawn(
  _ arguments: [String], environment: [String: String], streams: [Int32]
) throws -> pid_t {
  // A command that ends before it has read its input must not end the tests.
  signal(SIGPIPE, SIG_IGN)
  var actions = unsafe posix_spawn_file_actions_t()
  // Safety: actions and attributes are initialised, used by this call only and destroyed; the texts are
  // copies that end with a zero byte and are freed after the call.
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (target, descriptor) in streams.enumerated() {
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
  }
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var everySignal = sigset_t()
  unsafe sigfillset(&everySignal)
  unsafe posix_spawnattr_setsigdefault(&attributes, &everySignal)
  // The threads that run tests block signals, and a process inherits what is blocked.
  var noSignal = sigset_t()
  unsafe sigemptyset(&noSignal)
  unsafe posix_spawnattr_setsigmask(&attributes, &noSignal)
  unsafe posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  let argumentTexts = unsafe arguments.map { unsafe strdup($0) }
  let environmentTexts = unsafe environment.sorted { $0.key < $1.key }.map {
    unsafe strdup("\($0.key)=\($0.value)")
  }
  defer { unsafe (argumentTexts + environmentTexts).forEach { unsafe free($0) } }
  var process: pid_t = 0
  let failure = unsafe posix_spawn(
    &process, arguments[0], &actions, &attributes, argumentTexts + [nil], environmentTexts + [nil])
  guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT) }
  return process
}
