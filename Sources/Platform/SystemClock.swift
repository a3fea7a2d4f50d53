/// The clocks of the system.
package enum SystemClock {
  /// The nanoseconds since some moment, which no one can set; for measuring durations.
  package static var monotonicNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) }

  /// The microseconds since 1970-01-01T00:00:00Z, as the clock is set.
  package static var microsecondsSince1970: Int64 { nanoseconds(CLOCK_REALTIME) / 1_000 }

  /// The nanoseconds that the process has computed, on all processors.
  package static var processNanoseconds: Int64 { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // Safety: time outlives the call, which writes nothing else and cannot fail for these clocks.
    _ = unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
