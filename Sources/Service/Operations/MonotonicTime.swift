internal import Glibc

/// A clock that never goes back, for durations.
enum MonotonicTime {
  /// The nanoseconds since some moment before the process started.
  static var nanoseconds: Int64 {
    var time = timespec()
    // Safety: the call fills the value and keeps no pointer.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
