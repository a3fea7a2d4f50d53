import Glibc

/// A step of a benchmark: a command, or work within this process.
struct Step {
  var name: String
  /// The number of events processed by a run.
  var events: Int
  /// The number of bytes processed by a run; 0 to leave it out.
  var bytes: Int = 0
  /// The preparation before each run.
  var prepare: () throws -> Void = {}
  /// One run.
  var run: () throws -> Measurement
}

/// The measurement of one run of a step.
struct Measurement {
  /// Wall time in seconds.
  var seconds: Double
  /// User and system time in seconds.
  var cpuSeconds: Double
  /// The peak memory of the process, in bytes; nil for work within this process.
  var peakBytes: Int?
  /// The median, the 99th percentile and the maximum of the times of responses, in seconds; nil where nothing responds.
  var latencies: (median: Double, high: Double, maximum: Double)?

  init(seconds: Double, cpuSeconds: Double) {
    self.seconds = seconds
    self.cpuSeconds = cpuSeconds
  }

  init(_ run: ProcessRun) {
    seconds = run.seconds
    cpuSeconds = run.cpuSeconds
    peakBytes = run.peakBytes
  }

  /// Measures work within this process, on this thread.
  init(_ work: () throws -> Void) rethrows {
    let (wall, processor) = (Self.time(CLOCK_MONOTONIC), Self.time(CLOCK_PROCESS_CPUTIME_ID))
    try work()
    seconds = Self.time(CLOCK_MONOTONIC) - wall
    cpuSeconds = Self.time(CLOCK_PROCESS_CPUTIME_ID) - processor
  }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    // Safety: time outlives the call, which writes nothing else.
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
