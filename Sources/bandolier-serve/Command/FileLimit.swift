internal import Glibc

/// The limit on open files.
enum FileLimit {
  /// Raises the limit as far as the system permits: each connection and each segment of the log is a file.
  static func raise() {
    var limit = rlimit()
    // Safety: both calls use the value while they run and keep no pointer. Where they fail, the usual limit holds.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
